import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ReactFlowProvider, useStoreApi } from "@xyflow/react";
import { expect, test, vi } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { BackToBlueprint } from "./BackToBlueprint";
import { createScene } from "./scene";

const name = "Back to the blueprint";
type Store = ReturnType<typeof useStoreApi>;

function open(names: string[]) {
  const plan = planOf(names, []);
  const scene = createScene(plan, new Map());
  const held: { store?: Store } = {};
  function Holder() {
    held.store = useStoreApi();
    return null;
  }
  const opened = openBlueprint(
    <ReactFlowProvider>
      <Holder />
      <BackToBlueprint scene={scene} />
    </ReactFlowProvider>,
    { view: viewOf(plan) },
  );
  const look = (x: number, y: number) =>
    act(() => held.store?.setState({ width: 800, height: 600, transform: [x, y, 1] }));
  return { ...opened, look };
}

test("an empty view offers the way back, and a view of any node doesn't", async () => {
  const { look, page } = open(["a", "b"]);
  look(0, 0);
  expect(screen.queryByRole("button", { name })).toBeNull();
  look(-5_000, 0);
  const fit = vi.fn();
  page.setState({ canvas: { fit } as never });
  await userEvent.click(screen.getByRole("button", { name }));
  expect(fit).toHaveBeenCalledOnce();
  look(100, 100);
  expect(screen.queryByRole("button", { name })).toBeNull();
});

test("a blueprint without nodes has its own hint", () => {
  const { look } = open([]);
  look(-5_000, 0);
  expect(screen.queryByRole("button", { name })).toBeNull();
});

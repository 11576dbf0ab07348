import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { NodePicker } from "./NodePicker";

/** Like a card: React Flow stops the mouse event that begins a drag. */
function Card() {
  return (
    <div
      data-testid="card"
      ref={(card) => card?.addEventListener("mousedown", (event) => event.stopPropagation())}
    />
  );
}

function open() {
  const opened = openBlueprint(
    <>
      <Card />
      <NodePicker onClose={() => opened.page.setState({ picker: undefined })} />
    </>,
    { view: viewOf(planOf(["a"], [])) },
  );
  return opened;
}

test("a press on a card closes the picker", async () => {
  const { page } = open();
  act(() => page.setState({ picker: { screen: { x: 10, y: 10 } } }));
  await userEvent.type(screen.getByRole("combobox"), "cond");
  expect(page.getState().picker).toBeDefined();
  await userEvent.click(screen.getByTestId("card"));
  expect(page.getState().picker).toBeUndefined();
});

test("a press in the picker chooses a kind", async () => {
  const { page, editor } = open();
  act(() => page.setState({ picker: { screen: { x: 10, y: 10 } } }));
  await userEvent.click(screen.getByRole("option", { name: /^Condition/ }));
  expect(editor.getState().plan.nodes.map(({ kind }) => kind.kind)).toContain("condition");
});

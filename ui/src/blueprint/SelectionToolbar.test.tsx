import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ReactFlowProvider, useStoreApi } from "@xyflow/react";
import type { ComponentType } from "react";
import { expect, test } from "vitest";
import type { NodeState } from "@/api/bindings";
import { NodeCard } from "@/graph/NodeCard";
import { SelectionToolbar } from "@/graph/SelectionToolbar";
import { createScene } from "@/graph/scene";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { done, failed, running } from "@/run/stateHistoryFixture";
import { useBlueprintCommands } from "./useBlueprintCommands";

const plan = planOf(["a", "b", "c"], []);
// React Flow adds many more properties, which a card doesn't use.
const Card = NodeCard as unknown as ComponentType<{ id: string; data: object; selected: true }>;
type Store = ReturnType<typeof useStoreApi>;

function open(states?: Record<string, NodeState>) {
  const held: { store?: Store } = {};
  function Holder() {
    held.store = useStoreApi();
    useBlueprintCommands();
    return null;
  }
  const card = (id: string) => {
    const node = plan.nodes.find((other) => other.id === id);
    const data = { node, title: id, reading: "left_right", badges: [], nestedRuns: 0 };
    return <Card key={id} id={id} data={data} selected />;
  };
  const opened = openBlueprint(
    <ReactFlowProvider>
      <Holder />
      {["a", "b"].map(card)}
      <SelectionToolbar scene={createScene(plan, new Map())} />
    </ReactFlowProvider>,
    {
      view: viewOf(plan, { review: "approved" }),
      ...(states && { run: runOf(plan, states) }),
      answers: { inbox_list: [] },
    },
  );
  act(() => held.store?.setState({ width: 800, height: 600, transform: [0, 0, 1] }));
  const select = (ids: string[]) => act(() => opened.editor.getState().select(ids));
  return { ...opened, select, store: held.store };
}

const toolbars = () =>
  screen.queryAllByRole("toolbar").map((toolbar) => toolbar.getAttribute("aria-label"));
const offered = () =>
  within(screen.getByRole("toolbar", { name: /nodes$/ }))
    .getAllByRole("button")
    .map((button) => button.getAttribute("aria-label"));

test("several selected nodes have one toolbar, a single one has its own on its card", () => {
  const { select } = open();
  select(["a", "b"]);
  expect(toolbars()).toEqual(["Actions for 2 nodes"]);
  select(["a"]);
  expect(toolbars()).toContain("Actions for Title of a");
  expect(toolbars()).not.toContain("Actions for 2 nodes");
});

test("it offers what applies to at least one of them, and acts on all of those", async () => {
  const { select, page, editor } = open({ a: failed, b: done, c: running });
  select(["a", "b"]);
  expect(offered()).toEqual(
    expect.arrayContaining(["Retry", "Rerun from here", "Group selection", "Delete 2 nodes"]),
  );
  expect(offered()).not.toContain("Stop node");
  await userEvent.click(screen.getByRole("button", { name: "Rerun from here" }));
  expect(page.getState().rerunRequest).toMatchObject({ act: "rerun", nodes: ["a", "b"] });
  await userEvent.click(screen.getByRole("button", { name: "Delete 2 nodes" }));
  expect(editor.getState().plan.nodes.map(({ id }) => id)).toEqual(["c"]);
  expect(toolbars()).not.toContain("Actions for 2 nodes");
});

test("it is hidden while a selection box is drawn", () => {
  const { select, store } = open();
  select(["a", "b"]);
  act(() => store?.setState({ userSelectionActive: true }));
  expect(toolbars()).toEqual([]);
});

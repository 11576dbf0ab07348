import { fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { NodeState } from "@/api/bindings";
import { CanvasMenu } from "@/graph/CanvasMenu";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { RowMenu } from "@/plan/RowMenu";
import { asks, done, failed, running } from "@/run/stateHistoryFixture";
import { useBlueprintCommands } from "./useBlueprintCommands";

const base = planOf(["a", "b", "c"], ["a>b"]);
const group = { id: "g", title: "Group", color: "gray" as const, nodes: ["a", "b"] };
const plan = { ...base, groups: [group] };

function Commands() {
  useBlueprintCommands();
  return null;
}

function openMenu(state: NodeState | undefined, selected: string[]) {
  const run = state && runOf(plan, { a: state });
  if (run) for (const node of run.nodes) Object.assign(node, { session: "session" });
  const opened = openBlueprint(
    <>
      <Commands />
      <RowMenu>
        <div data-row="a">Row</div>
      </RowMenu>
    </>,
    {
      view: viewOf(plan, { review: "approved" }),
      ...(run && { run }),
      answers: { inbox_list: [] },
    },
  );
  opened.editor.getState().select(selected);
  fireEvent.contextMenu(screen.getByText("Row"));
  return opened;
}

const states: [string, NodeState | undefined][] = [
  ["never ran", undefined],
  ["is done", done],
  ["failed", failed],
  ["is running", running],
  ["asks", asks],
  ["was interrupted", { state: "interrupted" } as NodeState],
];

test.each(states)("the menu of a node that %s is short and has only what can apply", (_, state) => {
  openMenu(state, ["a"]);
  const items = screen.getAllByRole("menuitem");
  expect(items.length).toBeLessThan(15);
  expect(items.filter((item) => item.hasAttribute("data-disabled"))).toEqual([]);
  expect(screen.getByRole("menuitem", { name: /^Delete/ })).toBeVisible();
});

test("a node that never ran offers no acts on a run", () => {
  openMenu(undefined, ["a"]);
  expect(screen.getByRole("menuitem", { name: /^Run this node/ })).toBeVisible();
  for (const name of [/^Retry/, /^Skip/, /^Mark done/, /^Rerun/, /^Open timeline/])
    expect(screen.queryByRole("menuitem", { name })).toBeNull();
});

test("several nodes can be arranged from a submenu", async () => {
  openMenu(undefined, ["a", "b"]);
  expect(screen.getAllByRole("menuitem").length).toBeLessThan(15);
  await userEvent.click(screen.getByRole("menuitem", { name: "Arrange" }));
  expect(await screen.findByRole("menuitem", { name: /^Align left/ })).toBeInTheDocument();
});

test("an edge has its own menu: its type, a node within it, and deletion", async () => {
  const { editor } = openBlueprint(
    <>
      <Commands />
      <CanvasMenu>
        <div className="react-flow__edge" data-id="a>b">
          Edge
        </div>
      </CanvasMenu>
    </>,
    { view: viewOf(plan), answers: { inbox_list: [] } },
  );
  fireEvent.contextMenu(screen.getByText("Edge"));
  expect(screen.getByRole("menuitem", { name: /^Insert node/ })).toBeVisible();
  expect(screen.getAllByRole("menuitemcheckbox").length).toBeGreaterThan(1);
  await userEvent.click(screen.getByRole("menuitem", { name: /^Delete edge/ }));
  expect(editor.getState().plan.edges).toEqual([]);
});

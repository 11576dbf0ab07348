import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { NodeState } from "@/api/bindings";
import { CanvasMenu } from "@/graph/CanvasMenu";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { RowMenu } from "@/plan/RowMenu";
import { asks, done, failed, running } from "@/run/stateHistoryFixture";
import { BlueprintMenu } from "./BlueprintMenu";
import { useBlueprintCommands } from "./useBlueprintCommands";

const base = planOf(["a", "b", "c"], ["a>b"]);
const group = { id: "g", title: "Group", color: "gray" as const, nodes: ["a", "b"] };
const plan = { ...base, groups: [group] };

function Commands() {
  useBlueprintCommands();
  return null;
}

function openMenu(
  state: NodeState | undefined,
  selected: string[],
  others: Record<string, NodeState> = {},
) {
  const run = state && runOf(plan, { a: state, ...others });
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
  for (const name of [/^Retry/, /^Skip/, /^Mark done/, /^Rerun/, /^Open$/])
    expect(screen.queryByRole("menuitem", { name })).toBeNull();
});

test("a node that ran can be opened in a terminal", async () => {
  const { page } = openMenu(done, ["a"]);
  await userEvent.click(screen.getByRole("menuitem", { name: "Open" }));
  expect(await screen.findByRole("menuitem", { name: "Open timeline" })).toBeInTheDocument();
  // The page is in a browser, which may be on another machine than the files.
  expect(screen.queryByRole("menuitem", { name: "Open folder" })).toBeNull();
  fireEvent.click(screen.getByRole("menuitem", { name: "Open terminal" }));
  const { drawerOpen, drawerTab, terminalRequest } = page.getState();
  expect({ drawerOpen, drawerTab }).toEqual({ drawerOpen: true, drawerTab: "terminal" });
  expect(terminalRequest).toEqual({ kind: "node", run: "run", node: "a" });
});

test("the menu adds a node after this one, and draws an edge from it", async () => {
  const { page } = openMenu(undefined, ["a"]);
  // The list has no place to choose a kind at.
  expect(screen.queryByRole("menuitem", { name: /^Add a node after this one/ })).toBeNull();
  await userEvent.click(screen.getByRole("menuitem", { name: /^Connect to another node/ }));
  expect(page.getState().linking).toEqual(["a"]);
  const origin = { x: 0, y: 0 };
  const canvas = { toScreen: () => origin, placeOf: () => origin, focus: () => undefined };
  act(() => page.setState({ canvas: canvas as never }));
  fireEvent.contextMenu(screen.getByText("Row"));
  await userEvent.click(
    await screen.findByRole("menuitem", { name: /^Add a node after this one/ }),
  );
  expect(page.getState().picker?.link).toMatchObject({ nodes: ["a"], as: "parent" });
});

test("several nodes can be arranged from a submenu", async () => {
  openMenu(undefined, ["a", "b"]);
  expect(screen.getAllByRole("menuitem").length).toBeLessThan(15);
  await userEvent.click(screen.getByRole("menuitem", { name: "Arrange" }));
  expect(await screen.findByRole("menuitem", { name: /^Align left/ })).toBeInTheDocument();
});

test("the menu of a selection acts on all of it, and is short in any mix of states", async () => {
  const { page } = openMenu(failed, ["a", "b", "c"], { b: running, c: done });
  const items = screen.getAllByRole("menuitem");
  expect(items.length).toBeLessThan(15);
  expect(items.filter((item) => item.hasAttribute("data-disabled"))).toEqual([]);
  for (const name of [/^Rename/, /^Open timeline/])
    expect(screen.queryByRole("menuitem", { name })).toBeNull();
  await userEvent.click(screen.getByRole("menuitem", { name: /^Rerun from here/ }));
  expect(page.getState().rerunRequest).toMatchObject({ nodes: ["a", "c"] });
});

test("rarely used acts on a selection are in a submenu", async () => {
  openMenu(failed, ["a", "b"]);
  await userEvent.click(screen.getByRole("menuitem", { name: "More" }));
  expect(await screen.findByRole("menuitem", { name: /^Mark done/ })).toBeInTheDocument();
});

test.each([".react-flow__pane", "[data-group='g']"])(
  "the menu of %s is short and has only what can apply",
  (target) => {
    openBlueprint(
      <>
        <Commands />
        <CanvasMenu>
          <div>
            <div className="react-flow__pane" />
            <div className="group-frame">
              <div data-group="g" />
            </div>
          </div>
        </CanvasMenu>
      </>,
      { view: viewOf(plan), answers: { inbox_list: [] } },
    );
    fireEvent.contextMenu(document.querySelector(target) as Element);
    const items = screen.getAllByRole("menuitem").concat(screen.queryAllByRole("menuitemcheckbox"));
    expect(items.length).toBeLessThan(15);
    expect(items.filter((item) => item.hasAttribute("data-disabled"))).toEqual([]);
  },
);

test.each([true, false])("the blueprint menu has under 15 entries, whole: %s", async (whole) => {
  const run = runOf(plan, { a: failed });
  for (const node of run.nodes) node.stale = true;
  const { editor } = openBlueprint(
    <>
      <Commands />
      <BlueprintMenu whole={whole} />
    </>,
    { view: viewOf(plan, { review: "approved" }), run, answers: { inbox_list: [] } },
  );
  act(() => editor.getState().edit("Rename blueprint", (now) => ({ ...now, title: "New" })));
  await userEvent.click(screen.getByRole("button", { name: "More actions" }));
  const items = await screen.findAllByRole("menuitem");
  expect(items.length).toBeGreaterThan(5);
  expect(items.length).toBeLessThan(15);
  expect(items.filter((item) => item.hasAttribute("data-disabled"))).toEqual([]);
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

test("the menu pins the output of a node, and unpins it once it is pinned", async () => {
  const { page, call } = openMenu(undefined, ["a"]);
  await userEvent.click(screen.getByRole("menuitem", { name: "More" }));
  const pin = await screen.findByRole("menuitem", { name: "Pin output…" });
  expect(screen.queryByRole("menuitem", { name: "Unpin output" })).toBeNull();
  await userEvent.click(pin);
  expect(page.getState().pinningOutput).toBe("a");
  page.setState({ pinnedOutputs: new Set(["a"]) });
  fireEvent.contextMenu(screen.getByText("Row"));
  await userEvent.click(await screen.findByRole("menuitem", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Unpin output" }));
  expect(call).toHaveBeenCalledWith("node_output_unpin", { plan: "plan", node: "a" });
});

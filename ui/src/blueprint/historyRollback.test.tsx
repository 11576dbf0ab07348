import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { CheckpointView, HistoryRow, NodeState } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { historyRowsOf } from "@/run/historyFixture";
import { done, running } from "@/run/stateHistoryFixture";
import { Drawer } from "./Drawer";
import { RunToolbar } from "./RunToolbar";

beforeEach(() => {
  vi.restoreAllMocks();
  // jsdom has no layout, and the virtual list needs a height.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(280);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(900);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(280);
});

const plan = planOf(["a", "b"], ["a>b"]);

/** `a` starts, a person makes a checkpoint, `b` starts. */
const events: Record<number, Partial<HistoryRow>> = {
  1: { at: 1, event: { event: "node_started", node: "a", attempt: 1 }, sentence: "'a' started" },
  2: {
    at: 2,
    event: { event: "checkpoint_made", name: "Halfway", data: null, files: null },
    sentence: "checkpoint Halfway",
  },
  3: { at: 3, event: { event: "node_started", node: "b", attempt: 1 }, sentence: "'b' started" },
};

const halfway: CheckpointView = {
  ...{ number: 0, name: "Halfway", at: 2, data: null, done: 1, hasFiles: false, changedFiles: [] },
};

async function open(states: Record<string, NodeState>, checkpoints = [halfway]) {
  const run = { ...runOf(plan, states), seq: 3 };
  const part = (
    <>
      <RunToolbar />
      <Drawer />
    </>
  );
  const opened = openBlueprint(part, { view: viewOf(plan), run });
  opened.call.mockImplementation(async (name, input) => {
    if (name === "run_checkpoints") return checkpoints;
    if (name !== "run_history") return [];
    const { after, limit } = input as { after: number; limit: number };
    return historyRowsOf(3, events).slice(after, after + limit);
  });
  await userEvent.click(screen.getByRole("tab", { name: "History" }));
  const grid = await screen.findByRole("grid");
  const line = (sentence: RegExp) => screen.getByRole("row", { name: sentence });
  return { ...opened, grid, line };
}

const question = () => screen.findByRole("region", { name: "Roll back to Halfway" });

test("the line of a checkpoint asks about the rollback to it", async () => {
  const { call, line } = await open({ a: done, b: done });
  await waitFor(() => within(line(/Checkpoint Halfway/)).getByRole("button"));
  await userEvent.click(within(line(/Checkpoint Halfway/)).getByRole("button"));
  const form = await question();
  expect(form).toHaveFocus();
  expect(form).toHaveTextContent("Nodes return to their state at “Halfway”");
  expect(call).not.toHaveBeenCalledWith("run_rollback", expect.anything());
  await userEvent.click(within(form).getByRole("button", { name: "Roll back" }));
  expect(call).toHaveBeenCalledWith("run_rollback", { run: "run", checkpoint: 0, files: false });
});

test("another line leads to the checkpoint before it, and the first one nowhere", async () => {
  const { line } = await open({ a: done, b: done });
  await screen.findByRole("button", { name: "Roll back…" });
  const before = { name: "Roll back to before this…", hidden: true };
  expect(within(line(/'b' started/)).getByRole("button", before)).toHaveAttribute(
    "title",
    "Roll back to before this, to the checkpoint “Halfway”",
  );
  expect(within(line(/'a' started/)).queryByRole("button", before)).not.toBeInTheDocument();
  await userEvent.click(within(line(/'b' started/)).getByRole("button", before));
  expect(await question()).toBeVisible();
});

test("Enter on the line of a checkpoint asks, and so does the menu of any line", async () => {
  const { grid, page } = await open({ a: done, b: done });
  await screen.findByRole("button", { name: "Roll back…" });
  grid.focus();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(await question()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(page.getState()).toMatchObject({ checkpointsOpen: false, rollbackTo: undefined });

  await userEvent.pointer({ keys: "[MouseRight]", target: screen.getByText("'b' started.") });
  expect(await screen.findByRole("menuitem", { name: /^Show the timeline of/ })).toBeVisible();
  await userEvent.click(screen.getByRole("menuitem", { name: /^Roll back to before this…/ }));
  expect(await question()).toBeVisible();
});

test.each<[string, Record<string, NodeState>, CheckpointView[]]>([
  ["while a node runs", { a: done, b: running }, [halfway]],
  ["without a checkpoint", { a: done, b: done }, []],
])("%s, no line offers a rollback", async (_, states, checkpoints) => {
  const { line, call } = await open(states, checkpoints);
  await waitFor(() => expect(line(/'b' started/)).toBeVisible());
  // With a node running, they aren't asked for.
  if (!Object.values(states).includes(running))
    await waitFor(() => expect(call).toHaveBeenCalledWith("run_checkpoints", { run: "run" }));
  // What was answered is drawn.
  await act(async () => undefined);
  expect(screen.queryByRole("button", { name: /^Roll back/, hidden: true })).toBeNull();
});

test("the dialog of checkpoints opens without a question afterwards", async () => {
  const { page } = await open({ a: done, b: done });
  await userEvent.click(await screen.findByRole("button", { name: "Roll back…" }));
  await question();
  await userEvent.keyboard("{Escape}");
  page.setState({ checkpointsOpen: true });
  expect(await screen.findByRole("dialog", { name: "Checkpoints" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Roll back to Halfway" })).toBeNull();
});

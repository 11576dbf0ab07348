import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { NodeState, Plan, RerunPreviewView } from "@/api/bindings";
import type { CommandId } from "@/commands/catalog";
import { runCommand } from "@/commands/commandRegistry";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { done, failed, running } from "@/run/stateHistoryFixture";
import { RerunDialog } from "./RerunDialog";
import { useBlueprintCommands } from "./useBlueprintCommands";

const plan = planOf(["a", "b"], ["a>b"]);

const row = (node: string) => ({
  node,
  title: `Title of ${node}`,
  kind: "agent",
  lastMs: 61_000,
  lastCostUsd: 0.25,
  lastTokens: 100,
});

const preview: RerunPreviewView = {
  nodes: [row("a"), row("b")],
  totalMs: 122_000,
  totalCostUsd: 0.5,
  unknownCosts: 0,
};

function Page() {
  useBlueprintCommands();
  return <RerunDialog />;
}

function open(
  states: Record<string, NodeState>,
  {
    ended = true,
    shown = preview,
    of = plan,
  }: { ended?: boolean; shown?: RerunPreviewView; of?: Plan } = {},
) {
  const run = runOf(of, states, ended ? { state: { state: "failed", message: "a failed" } } : {});
  const opened = openBlueprint(<Page />, {
    view: viewOf(of, { review: "approved", lastRun: run.summary }),
    run,
    answers: {
      run_rerun_preview: shown,
      plan_preflight: { checks: [], mayRun: true, needsApproval: false },
      inbox_list: [],
    },
  });
  opened.editor.getState().select(["a"]);
  return opened;
}

const press = (command: CommandId) => act(async () => runCommand(command));

test("a rerun lists its nodes, time and cost, and starts with Enter only", async () => {
  const { call, page } = open({ a: done, b: done });
  await press("rerun");
  const dialog = await screen.findByRole("dialog", { name: "Rerun from “Title of a”?" });
  const nodes = await within(dialog).findByRole("list", { name: "Nodes that will run" });
  expect(within(nodes).getAllByRole("listitem")).toHaveLength(2);
  expect(dialog).toHaveTextContent("Last time: 2m 02s of work, $0.50.");
  expect(call).toHaveBeenCalledWith("run_rerun_preview", {
    run: "run",
    nodes: ["a"],
    scope: "from_here",
  });
  expect(call).not.toHaveBeenCalledWith("node_rerun", expect.anything());

  expect(within(dialog).getByRole("button", { name: "Rerun 2 nodes" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(call).toHaveBeenCalledWith("node_rerun", { run: "run", node: "a" });
  expect(page.getState().rerunRequest).toBeUndefined();
});

test("Escape cancels a rerun", async () => {
  const { call } = open({ a: failed });
  await press("retry");
  await screen.findByRole("dialog", { name: "Retry “Title of a”?" });
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(call).not.toHaveBeenCalledWith("node_retry", expect.anything());
});

test.each<[CommandId, Record<string, NodeState>, string]>([
  ["retry", { a: failed }, "node_retry"],
  ["rerun", { a: done }, "node_rerun"],
  ["rerun_alone", { a: done }, "node_rerun_alone"],
  ["retry_failed", { a: failed }, "run_rerun_failed"],
])("%s starts nothing before it is confirmed", async (command, states, operation) => {
  const { call } = open(states);
  await press(command);
  const dialog = await screen.findByRole("dialog");
  expect(call).not.toHaveBeenCalledWith(operation, expect.anything());
  await userEvent.click(await within(dialog).findByRole("button", { name: /^Re\w+ 2 nodes$/ }));
  expect(call).toHaveBeenCalledWith(operation, expect.anything());
});

test("nothing to rerun offers only to close", async () => {
  open({ a: failed }, { shown: { nodes: [], totalMs: 0, totalCostUsd: 0, unknownCosts: 0 } });
  await press("retry_failed");
  const dialog = await screen.findByRole("dialog", { name: "Rerun failed nodes?" });
  expect(await within(dialog).findByText("There is nothing to run again.")).toBeVisible();
  expect(within(dialog).queryByRole("button", { name: /Rerun/ })).not.toBeInTheDocument();
});

test("more than ten nodes are counted", async () => {
  const nodes = Array.from({ length: 13 }, (_, at) => row(`n${at}`));
  open({ a: done }, { shown: { ...preview, nodes } });
  await press("rerun");
  const list = await screen.findByRole("list", { name: "Nodes that will run" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(10);
  expect(screen.getByText("and 3 more")).toBeVisible();
});

test("a rerun from several nodes starts at the uppermost only", async () => {
  const { call, editor } = open({ a: done, b: done });
  editor.getState().select(["a", "b"]);
  await press("rerun");
  await userEvent.click(await screen.findByRole("button", { name: "Rerun 2 nodes" }));
  const started = call.mock.calls.filter(([name]) => name === "node_rerun");
  expect(started.map(([, input]) => input)).toEqual([{ run: "run", node: "a" }]);
});

test("the shortcut for Run all shows the checks, even if the blueprint ran before", async () => {
  const { call, page } = open({ a: failed });
  await press("run");
  await waitFor(() => expect(page.getState().runRequest?.goal).toEqual({ want: "all" }));
  expect(call).not.toHaveBeenCalledWith("run_start", expect.anything());
});

test("skipping asks first if other nodes may start, and names them", async () => {
  const { call } = open({ a: failed });
  await press("skip");
  const dialog = await screen.findByRole("dialog", { name: "Skip “Title of a”?" });
  const list = within(dialog).getByRole("list", { name: "Nodes that may start" });
  expect(within(list).getByRole("listitem")).toHaveTextContent("Title of b");
  expect(dialog).toHaveTextContent("without it, and this node may start:");
  expect(call).not.toHaveBeenCalledWith("node_skip", expect.anything());
  expect(within(dialog).getByRole("button", { name: "Skip" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(call).toHaveBeenCalledWith("node_skip", { run: "run", node: "a", stop: null });
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test("skipping acts at once if nothing may start", async () => {
  const { call, editor } = open({ a: done, b: failed });
  editor.getState().select(["b"]);
  await press("skip");
  expect(call).toHaveBeenCalledWith("node_skip", { run: "run", node: "b", stop: null });
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test("one question covers running and other nodes, with all that may start then", async () => {
  // `c` waits for `a`, which runs, and for `b`.
  const joined = planOf(["a", "b", "c"], ["a>c", "b>c"]);
  const { call, editor } = open({ a: running, b: failed }, { ended: false, of: joined });
  editor.getState().select(["a", "b"]);
  await press("skip");
  const dialog = await screen.findByRole("alertdialog", { name: "Stop and skip 2 nodes?" });
  expect(dialog).toHaveTextContent("1 of them is running. This ends its session");
  const list = within(dialog).getByRole("list", { name: "Nodes that may start" });
  expect(within(list).getByRole("listitem")).toHaveTextContent("Title of c");
  expect(within(dialog).getByRole("button", { name: "Cancel" })).toHaveFocus();
  expect(call).not.toHaveBeenCalledWith("node_skip", expect.anything());
  await userEvent.click(within(dialog).getByRole("button", { name: "Stop and skip" }));
  const skipped = call.mock.calls.filter(([name]) => name === "node_skip");
  expect(skipped.map(([, input]) => input)).toEqual([
    { run: "run", node: "a", stop: true },
    { run: "run", node: "b", stop: null },
  ]);
  expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
});

test("more than ten nodes that may start are counted", async () => {
  const below = Array.from({ length: 13 }, (_, at) => `n${at}`);
  const wide = planOf(
    ["a", ...below],
    below.map((id) => `a>${id}`),
  );
  open({ a: failed }, { of: wide });
  await press("skip");
  const list = await screen.findByRole("list", { name: "Nodes that may start" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(10);
  expect(screen.getByText("and 3 more")).toBeVisible();
});

test("more nodes of an active run are confirmed too", async () => {
  const { call } = open({ a: running }, { ended: false });
  await press("run");
  await screen.findByRole("dialog", { name: "Run all remaining nodes?" });
  expect(call).not.toHaveBeenCalledWith("run_want", expect.anything());
  await userEvent.keyboard("{Enter}");
  expect(call).toHaveBeenCalledWith("run_want", { run: "run", goal: { want: "all" } });
});

import { expect, test } from "vitest";
import type { NodeRunView, NodeState, RunView } from "@/api/bindings";
import { asks, done, failed, running } from "@/run/stateHistoryFixture";
import { neighborOfSelected } from "./goToNode";
import { planOf, runOf } from "./planFixture";
import { runProblems } from "./runProblems";

const interrupted: NodeState = { state: "interrupted", detail: "Stopped" };
const skippedFailure: NodeState = {
  state: "skipped",
  reason: { kind: "after_failure", failure: { reason: "exit_code", code: 1 } },
};

const names = ["stale", "skipped", "doubt", "quiet", "gone", "bad", "ask", "fine", "new"];
const plan = planOf(names, []);

function runWithEverything(): RunView {
  const run = runOf(plan, {
    stale: done,
    skipped: skippedFailure,
    doubt: done,
    quiet: running,
    gone: interrupted,
    bad: failed,
    ask: asks,
    fine: done,
    new: done,
  });
  const change = (name: string, facts: Partial<NodeRunView>) => {
    const node = run.nodes.find((each) => each.node === name);
    if (node) Object.assign(node, facts);
  };
  change("stale", { stale: true });
  change("doubt", { unverified: true });
  for (const node of run.nodes)
    if (node.node === "quiet") node.marks = { ...node.marks, silent: true };
  return run;
}

test("problems are listed by urgency, not in plan order", () => {
  expect(runProblems(plan, runWithEverything(), []).map(({ text }) => text)).toEqual([
    "Title of ask waits for you",
    "Title of bad failed",
    "Title of gone was interrupted",
    "Title of quiet has been silent for too long",
    "Title of doubt is unverified",
    "Title of skipped failed and was skipped",
    "Title of stale is stale",
  ]);
});

test("errors in the plan come last, and each node is listed once", () => {
  const sentence = "Write a command.";
  const problem = { problem: "empty_budget" } as never;
  const found = runProblems(plan, runWithEverything(), [
    { problem, sentence, preventsSaving: true, nodes: ["bad", "fine"] },
    { problem, sentence: "Choose one.", preventsSaving: false, nodes: ["new"] },
  ]);
  expect(found.slice(-2)).toEqual([
    { node: "fine", text: "Title of fine can't be saved: Write a command." },
    { node: "new", text: "Title of new is unfinished: Choose one." },
  ]);
  expect(found.filter(({ node }) => node === "bad")).toHaveLength(1);
});

test("without a run, only errors in the plan are problems", () => {
  expect(runProblems(plan, undefined, [])).toEqual([]);
});

test("nodes that are no longer in the plan are left out", () => {
  expect(runProblems(planOf(["fine"], []), runWithEverything(), [])).toEqual([]);
});

test.each([
  ["nothing is selected", [], 1, "a"],
  ["nothing is selected, backward", [], -1, "c"],
  ["the first is selected", ["a"], 1, "b"],
  ["the last is selected", ["c"], 1, "a"],
  ["the first is selected, backward", ["a"], -1, "c"],
  ["another one is selected", ["x"], 1, "a"],
])("the walk wraps around: %s", (_, selected, step, expected) => {
  const nodes = ["a", "b", "c"];
  expect(neighborOfSelected(nodes, new Set(selected), step as 1 | -1)).toBe(expected);
});

test("there is no neighbor without nodes", () => {
  expect(neighborOfSelected([], new Set(["a"]))).toBeUndefined();
});

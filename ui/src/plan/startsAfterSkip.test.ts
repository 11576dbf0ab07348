import { expect, test } from "vitest";
import type { NodeState, Plan, SkipReason } from "@/api/bindings";
import { done, failed, running } from "@/run/stateHistoryFixture";
import { planOf, runOf } from "./planFixture";
import { startsAfterSkip } from "./startsAfterSkip";

const chain = planOf(["a", "b", "c"], ["a>b", "b>c"]);

function change(id: string, facts: Partial<Plan["nodes"][number]>, of: Plan): Plan {
  return { ...of, nodes: of.nodes.map((node) => (node.id === id ? { ...node, ...facts } : node)) };
}

function skippedAs(reason: SkipReason): NodeState {
  return { state: "skipped", reason };
}

test.each<[string, NodeState, boolean]>([
  ["pending", { state: "pending" }, true],
  ["blocked", { state: "blocked", by: "a" }, true],
  ["skipped with its parent", skippedAs({ kind: "parent_skipped", parent: "a" }), true],
  ["not taken", skippedAs({ kind: "not_taken", by: "a" }), true],
  ["jumped over", skippedAs({ kind: "jumped_over", by: "a" }), true],
  ["ruled out", skippedAs({ kind: "rule_not_met", because: "a" }), true],
  ["skipped by hand", skippedAs({ kind: "by_hand" }), false],
  ["running", running, false],
  ["done", done, false],
  ["failed", failed, false],
])("a node below that is %s may start: %o %o", (_, state, may) => {
  const run = runOf(planOf(["a", "b"], ["a>b"]), { a: failed, b: state });
  expect(startsAfterSkip(run, ["a"])).toEqual(may ? ["b"] : []);
});

test("a cleanup behind a skipped condition and its branch may start", () => {
  const branch = { kind: "condition", trueStep: "b", falseStep: null } as Plan["nodes"][0]["kind"];
  const cleanup = planOf(["a", "b", "c"], ["b>c"]);
  const plan = change("a", { kind: branch }, change("c", { triggerRule: "all_done" }, cleanup));
  expect(startsAfterSkip(runOf(plan, {}), ["a"])).toEqual(["b", "c"]);
});

test("nodes behind one that has ended may start, as rules and failures pass on", () => {
  expect(startsAfterSkip(runOf(chain, { a: failed, b: failed }), ["a"])).toEqual(["c"]);
});

test("the targets of jumps may start", () => {
  const none = planOf(["a", "c"], []);
  const onFailure = change("a", { onFailure: { node: "c" } }, none);
  expect(startsAfterSkip(runOf(onFailure, {}), ["a"])).toEqual(["c"]);
  const onSuccess = change("a", { onSuccess: "c" }, none);
  expect(startsAfterSkip(runOf(onSuccess, {}), ["a"])).toEqual(["c"]);
});

test("a skipped or disabled node, or one that only reads a handoff, doesn't start", () => {
  expect(startsAfterSkip(runOf(chain, {}), ["a", "b"])).toEqual(["c"]);
  expect(startsAfterSkip(runOf(change("b", { disabled: true }, chain), {}), ["a"])).toEqual(["c"]);
  const soft = { ...planOf(["a", "b"], []), edges: [{ parent: "a", child: "b", soft: true }] };
  expect(startsAfterSkip(runOf(soft, {}), ["a"])).toEqual([]);
});

test("nothing starts in a paused run", () => {
  const run = runOf(chain, { a: failed }, { state: { state: "paused", reason: "asked" } });
  expect(startsAfterSkip(run, ["a"])).toEqual([]);
});

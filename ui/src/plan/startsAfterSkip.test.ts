import { expect, test } from "vitest";
import type { NodeState, Plan, TriggerRule } from "@/api/bindings";
import { done, failed, running } from "@/run/stateHistoryFixture";
import { planOf, runOf } from "./planFixture";
import { startsAfterSkip } from "./startsAfterSkip";

/** `a` is skipped, `b` is another parent of `c`. */
const plan = planOf(["a", "b", "c"], ["a>c", "b>c"]);
const pending: NodeState = { state: "pending" };
const notTaken: NodeState = { state: "skipped", reason: { kind: "not_taken", by: "x" } };
const byHand: NodeState = { state: "skipped", reason: { kind: "by_hand" } };

function change(id: string, facts: Partial<Plan["nodes"][number]>, of: Plan = plan): Plan {
  return { ...of, nodes: of.nodes.map((node) => (node.id === id ? { ...node, ...facts } : node)) };
}

test.each<[TriggerRule | null, string, NodeState, boolean]>([
  [null, "done", done, true],
  [null, "skipped by hand", byHand, true],
  [null, "running", running, false],
  [null, "failed", failed, false],
  [null, "not taken", notTaken, false],
  ["all_success", "done", done, true],
  ["all_success", "not taken", notTaken, false],
  ["all_done", "failed", failed, true],
  ["all_done", "running", running, false],
  ["none_failed", "not taken", notTaken, true],
  ["none_failed", "failed", failed, false],
  ["none_failed_min_one_success", "pending", pending, false],
  ["one_success", "running", running, true],
  ["one_failed", "done", done, false],
])(
  "with the rule %s and another parent that is %s, a skip starts it: %o %s",
  (rule, _, other, starts) => {
    const run = runOf(change("c", { triggerRule: rule }), { a: failed, b: other });
    expect(startsAfterSkip(run, ["a"])).toEqual(starts ? ["c"] : []);
  },
);

test("nodes that are skipped together don't wait for each other", () => {
  const chain = planOf(["a", "b", "c"], ["a>b", "b>c"]);
  expect(startsAfterSkip(runOf(chain, {}), ["a", "b"])).toEqual(["c"]);
});

test("a node that ran, or that only reads a handoff, isn't started", () => {
  const soft = { ...plan, edges: [{ parent: "a", child: "c", soft: true }] };
  expect(startsAfterSkip(runOf(soft, { b: done }), ["a"])).toEqual([]);
  expect(startsAfterSkip(runOf(plan, { b: done, c: done }), ["a"])).toEqual([]);
});

test("the target of a failure isn't started, and the one of a success is", () => {
  const none = planOf(["a", "c"], []);
  const onFailure = change("a", { onFailure: { node: "c" } }, none);
  expect(startsAfterSkip(runOf(onFailure, {}), ["a"])).toEqual([]);
  expect(startsAfterSkip(runOf(change("a", { onSuccess: "c" }, none), {}), ["a"])).toEqual(["c"]);
});

test("nothing starts in a paused run", () => {
  const run = runOf(plan, { b: done }, { state: { state: "paused", reason: "asked" } });
  expect(startsAfterSkip(run, ["a"])).toEqual([]);
});

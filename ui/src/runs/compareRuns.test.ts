import { expect, test } from "vitest";
import type { NodeRunView, Plan } from "@/api/bindings";
import { noWorkTime } from "@/components/workTime";
import { planOf, runOf } from "@/plan/planFixture";
import { compareRuns, costOf, difference, totalCost, workedMs } from "./compareRuns";
import {
  formatAttemptsDifference,
  formatCostDifference,
  formatTimeDifference,
} from "./differenceText";

const done = { state: "done", byHand: false } as const;
const all = { a: done, b: done };

function withNode(plan: Plan, id: string, part: Partial<Plan["nodes"][number]>): Plan {
  return {
    ...plan,
    nodes: plan.nodes.map((node) => (node.id === id ? { ...node, ...part } : node)),
  };
}

test("runs that did the same don't differ, wherever their nodes are on the canvas", () => {
  const plan = planOf(["a", "b"], []);
  const moved = withNode(plan, "a", { position: { x: 900, y: 900 } });
  const compared = compareRuns(runOf(plan, all), runOf(moved, all));
  expect(compared.map(({ id, different }) => [id, different])).toEqual([
    ["a", false],
    ["b", false],
  ]);
});

test("an edited node, another state and another number of attempts are differences", () => {
  const plan = planOf(["a", "b", "c"], []);
  const edited = withNode(plan, "a", { instructions: "Slowly." });
  const before = runOf(plan, { a: done, b: done, c: done });
  const after = runOf(edited, { a: done, b: { state: "running" }, c: done });
  after.nodes = after.nodes.map((node) => (node.node === "c" ? { ...node, attempt: 3 } : node));
  const compared = compareRuns(before, after);
  expect(compared.map(({ id, edited, different }) => [id, edited, different])).toEqual([
    ["a", true, true],
    ["b", false, true],
    ["c", false, true],
  ]);
});

test("nodes that only one run has are listed in the order of the second run", () => {
  const compared = compareRuns(
    runOf(planOf(["gone", "a"], []), { a: done }),
    runOf(planOf(["a", "new"], []), { a: done }),
  );
  expect(compared.map(({ id, a, b }) => [id, a !== undefined, b !== undefined])).toEqual([
    ["a", true, true],
    ["new", false, true],
    ["gone", true, false],
  ]);
  expect(compared.map(({ title }) => title)).toEqual([
    "Title of a",
    "Title of new",
    "Title of gone",
  ]);
});

test("time and cost are unknown until they are reported", () => {
  const [node] = runOf(planOf(["a"], []), all).nodes as [NodeRunView];
  const used = { inputTokens: 1, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null };
  const times = { workedMs: 3, waitedMs: 0, elapsedMs: 9, workingSince: null };
  expect(workedMs(undefined)).toBeNull();
  expect(workedMs({ ...node, startedAt: 5, endedAt: 5, times })).toBe(3);
  expect(workedMs({ ...node, times: { ...times, workingSince: 9 } }), "it works").toBeNull();
  expect(workedMs({ ...node, times: noWorkTime }), "it never started").toBeNull();
  expect(costOf(node)).toBeNull();
  expect(totalCost([node])).toBeNull();
  expect(totalCost([node, { ...node, used: { ...used, usd: 2 } }])).toBe(2);
  expect(difference(1, null)).toBeNull();
  expect(difference(3, 1)).toBe(-2);
});

test.each([
  [formatTimeDifference(64_000), "+1m 04s"],
  [formatTimeDifference(-42_000), "−42 s"],
  [formatTimeDifference(0), "same"],
  [formatTimeDifference(null), ""],
  [formatCostDifference(-0.42), "−$0.42"],
  [formatAttemptsDifference(2), "+2"],
])("a difference reads %s", (text, expected) => expect(text).toBe(expected));

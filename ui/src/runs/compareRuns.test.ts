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
  expect(compared.map(({ id, differences }) => [id, differences])).toEqual([
    ["a", []],
    ["b", []],
  ]);
});

test("an edited node, another state and another number of attempts are differences", () => {
  const plan = planOf(["a", "b", "c"], []);
  const edited = withNode(plan, "a", { instructions: "Slowly." });
  const before = runOf(plan, { a: done, b: done, c: done });
  const after = runOf(edited, { a: done, b: { state: "running" }, c: done });
  after.nodes = after.nodes.map((node) => (node.node === "c" ? { ...node, attempt: 3 } : node));
  const compared = compareRuns(before, after);
  expect(compared.map(({ id, differences }) => [id, differences])).toEqual([
    ["a", ["definition"]],
    ["b", ["state"]],
    ["c", ["attempts"]],
  ]);
});

test("a handoff counts by its content, and if only one run has one", () => {
  const plan = planOf(["a", "b", "c"], []);
  const [before, after] = [runOf(plan, all), runOf(plan, all)];
  const withHandoff = (node: NodeRunView, artifact: string) => ({ ...node, artifact });
  before.nodes = before.nodes.map((node) => withHandoff(node, `old-${node.node}`));
  after.nodes = after.nodes.map((node) =>
    node.node === "c" ? node : withHandoff(node, `new-${node.node}`),
  );
  const compared = compareRuns(before, after, ["b"]);
  expect(compared.map(({ id, differences }) => [id, differences])).toEqual([
    ["a", []],
    ["b", ["handoff"]],
    ["c", ["handoff"]],
  ]);
});

test("marked as done by hand is another state", () => {
  const plan = planOf(["a"], []);
  const byHand = { state: "done", byHand: true } as const;
  const [node] = compareRuns(runOf(plan, { a: done }), runOf(plan, { a: byHand }));
  expect(node?.differences).toEqual(["state"]);
});

test.each<[name: string, ms: [number, number], dollars: [number | null, number | null], string[]]>([
  ["the usual variation", [60_000, 72_000], [0.4, 0.5], []],
  ["a large share of little", [200, 4_000], [0.001, 0.004], []],
  ["a small share of much", [600_000, 700_000], [10, 12], []],
  ["exactly the limit", [15_000, 20_000], [0.03, 0.04], ["time", "cost"]],
  ["slower", [60_000, 180_000], [0.4, 0.4], ["time"]],
  ["faster", [180_000, 60_000], [0.4, 0.4], ["time"]],
  ["more expensive", [60_000, 60_000], [0.4, 1.4], ["cost"]],
  ["a cost that only one run reported", [1_000, 1_000], [null, 1.4], []],
  ["no cost", [1_000, 1_000], [null, null], []],
])("time and cost count from a limit on: %s", (_, ms, dollars, expected) => {
  const sides = [0, 1].map((side) => {
    const run = runOf(planOf(["a"], []), all);
    const usd = dollars[side] ?? null;
    const used = {
      ...{ inputTokens: 1, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null },
      usd,
    };
    const workedMs = ms[side] ?? 0;
    const times = { workedMs, waitedMs: 0, elapsedMs: workedMs, workingSince: null };
    return { ...run, nodes: run.nodes.map((node) => ({ ...node, times, used })) };
  });
  const [a, b] = sides as [(typeof sides)[0], (typeof sides)[0]];
  expect(compareRuns(a, b)[0]?.differences).toEqual(expected);
});

test("an unknown time is no difference", () => {
  const [before, after] = [0, 1].map((side) => {
    const run = runOf(planOf(["a"], []), all);
    const elapsedMs = side === 0 ? null : 60_000;
    const times = { workedMs: 60_000, waitedMs: 0, elapsedMs, workingSince: null };
    return { ...run, nodes: run.nodes.map((node) => ({ ...node, times })) };
  }) as [ReturnType<typeof runOf>, ReturnType<typeof runOf>];
  expect(compareRuns(before, after)[0]?.differences).toEqual([]);
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

// @vitest-environment node
import { expect, test } from "vitest";
import { criticalPathFrom } from "@/plan/usePlanTiming";
import { attemptBars } from "@/run/attemptBars";
import { asks, done, running, stateHistoryOf } from "@/run/stateHistoryFixture";
import { columnsOf } from "./ConcurrencyStrip";
import { barLabel } from "./GanttRow";
import { ganttSummary } from "./GanttToolbar";
import { ganttRows } from "./ganttRows";
import { axisTicks, fractionInRange, fullRange, panRange, zoomRange } from "./timeRange";

const whole = { from: 0, to: 1_000 };

test("zooming keeps the time under the pointer in place and stays within the run", () => {
  const closer = zoomRange(whole, 2, 250, whole);
  expect(closer).toEqual({ from: 125, to: 625 });
  expect(fractionInRange(closer, 250)).toBe(0.25);
  expect(zoomRange(closer, 0.1, 250, whole)).toEqual(whole);
  expect(
    zoomRange(whole, 1_000_000, 500, whole).to - zoomRange(whole, 1_000_000, 500, whole).from,
  ).toBe(20);
  expect(panRange(closer, 10, whole)).toEqual({ from: 500, to: 1_000 });
  expect(panRange(closer, -10, whole)).toEqual({ from: 0, to: 500 });
});

test("a run of zero duration still has a range", () => {
  const { from, to } = fullRange(5, 5);
  expect(to).toBeGreaterThan(from);
  expect(Number.isFinite(fractionInRange({ from, to }, 5))).toBe(true);
});

test.each([
  [{ from: 0, to: 10_000 }, 5, [0, 2_000, 4_000, 6_000, 8_000, 10_000]],
  [{ from: 4_500, to: 5_500 }, 5, [4_600, 4_800, 5_000, 5_200, 5_400]],
  [{ from: 0, to: 7_200_000 }, 4, [0, 1_800_000, 3_600_000, 5_400_000, 7_200_000]],
])("axis ticks are at round times: %j", (range, most, ticks) => {
  expect(axisTicks(range, 0, most)).toEqual(ticks);
});

test("rows are ordered by start, with nodes that have not started last, or in plan order", () => {
  const stateHistory = stateHistoryOf(
    ["a", "b", "c", "d"],
    [
      [1, { c: running }],
      [2, { a: running }],
    ],
  );
  const order = (by: "start" | "plan") =>
    ganttRows(stateHistory, by)
      .map(({ node }) => node)
      .join("");
  expect(order("start")).toBe("cabd");
  expect(order("plan")).toBe("abcd");
});

test("the label of a bar says how long it waited for a person", () => {
  const stateHistory = stateHistoryOf(
    ["a"],
    [
      [0, { a: running }],
      [1_000, { a: asks }],
      [4_000, { a: running }],
      [5_000, { a: done }],
    ],
  );
  const [bar] = attemptBars(stateHistory, 0);
  expect(bar && barLabel(bar, 9_000)).toMatch(
    /^Attempt 1: Done, 5\.0 s, from .*, 3\.0 s of it waiting for you$/,
  );
});

test("columns show the maximum they cover", () => {
  const steps = [
    { at: 0, count: 1 },
    { at: 500, count: 4 },
    { at: 501, count: 2 },
    { at: 750, count: 0 },
  ];
  expect(columnsOf(steps, whole, 1_000, 4)).toEqual([0.25, 0.25, 1, 0.5]);
  expect(columnsOf([], whole, 1_000, 2)).toEqual([0, 0]);
});

test("the summary line", () => {
  const pace = {
    critical: ["a", "b"],
    lengthMs: 12_000,
    times: [],
    runs: 1,
    widest: ["c", "d", "e"],
  };
  expect(ganttSummary({ most: 2, limit: 4, pace })).toBe(
    "Peak parallelism 2 (limit 4, possible 3) · critical path 12 s over 2 nodes",
  );
  expect(ganttSummary({ most: 0, limit: undefined, pace: undefined })).toBe("Peak parallelism 0");
});

test("only consecutive nodes on the critical path are connected by critical edges", () => {
  const { edges: ways } = criticalPathFrom(["a", "b", "c"]);
  expect([...ways]).toEqual(["a>b", "b>c"]);
});

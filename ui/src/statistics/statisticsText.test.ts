import { expect, test } from "vitest";
import { describeRuns, formatPercent } from "./runCounts";
import { runCounts } from "./statisticsFixture";
import {
  describeUnreported,
  emptyUsage,
  formatCostCell,
  formatTokenBreakdown,
  formatTokensCell,
} from "./usage";

test("describes runs by state", () => {
  expect(describeRuns(runCounts({}))).toBe("0 runs");
  expect(describeRuns(runCounts({ completed: 1 }))).toBe("1 run: 1 completed");
  expect(describeRuns(runCounts({ failed: 2, completed: 1_200, running: 1 }))).toBe(
    "1,203 runs: 1,200 completed, 2 failed, 1 running",
  );
});

test("percentages round to 0% or 100% only when exact", () => {
  const words = [0, 0.001, 0.5, 0.999, 1].map(formatPercent);
  expect(words).toEqual(["0%", "1%", "50%", "99%", "100%"]);
});

test("unknown is never 0, and partial sums are marked", () => {
  expect(formatCostCell(emptyUsage)).toBe("");
  const unreported = { ...emptyUsage, sessions: 2, withoutUsd: 2, withoutTokens: 2 };
  expect([formatCostCell(unreported), formatTokensCell(unreported)]).toEqual([
    "unknown",
    "unknown",
  ]);
  const tokens = { input: 1_000, output: 200, cacheRead: 0, cacheWrite: 34 };
  const part = { ...unreported, usd: 0.5, withoutUsd: 1, tokens, withoutTokens: 0 };
  expect([formatCostCell(part), formatTokensCell(part)]).toEqual(["$0.50+", "1.2k"]);
  expect(formatTokenBreakdown(tokens)).toBe("1.0k input, 200 output, 0 cache read, 34 cache write");
  expect([describeUnreported(0, 5), describeUnreported(1, 1), describeUnreported(2, 5)]).toEqual([
    undefined,
    "1 of 1 session not reported",
    "2 of 5 sessions not reported",
  ]);
});

import { expect, test } from "vitest";
import { formatPercent, runsSentence } from "./runWords";
import { runCounts } from "./statisticsFixture";
import { costCell, noUsed, tokenParts, tokensCell, untoldWords } from "./used";

test("runs are told by state, and none is no list", () => {
  expect(runsSentence(runCounts({}))).toBe("0 runs");
  expect(runsSentence(runCounts({ completed: 1 }))).toBe("1 run: 1 completed");
  expect(runsSentence(runCounts({ failed: 2, completed: 1_200, running: 1 }))).toBe(
    "1,203 runs: 1200 completed, 2 failed, 1 running",
  );
});

test("almost all is not all, and almost none is not none", () => {
  const words = [0, 0.001, 0.5, 0.999, 1].map(formatPercent);
  expect(words).toEqual(["0%", "1%", "50%", "99%", "100%"]);
});

test("unknown is never 0, and a sum that is not whole says so", () => {
  expect(costCell(noUsed)).toBe("");
  const untold = { ...noUsed, sessions: 2, withoutUsd: 2, withoutTokens: 2 };
  expect([costCell(untold), tokensCell(untold)]).toEqual(["unknown", "unknown"]);
  const tokens = { input: 1_000, output: 200, cacheRead: 0, cacheWrite: 34 };
  const part = { ...untold, usd: 0.5, withoutUsd: 1, tokens, withoutTokens: 0 };
  expect([costCell(part), tokensCell(part)]).toEqual(["$0.50+", "1.2k"]);
  expect(tokenParts(tokens)).toBe("1.0k in, 200 out, 0 from the cache, 34 into it");
  expect([untoldWords(0, 5), untoldWords(1, 1), untoldWords(2, 5)]).toEqual([
    undefined,
    "1 of 1 session did not tell",
    "2 of 5 sessions did not tell",
  ]);
});

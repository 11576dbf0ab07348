import { expect, test } from "vitest";
import { formatCost, formatTokens } from "./formatUsage";

test.each([
  [null, "unknown"],
  [0, "0"],
  [999, "999"],
  [12_400, "12.4k"],
  [999_950, "1.0M"],
  [1_300_000, "1.3M"],
])("formats %d tokens as %s", (tokens, words) => {
  expect(formatTokens(tokens)).toBe(words);
});

test.each([
  [null, "unknown"],
  [0, "$0.00"],
  [0.001, "<$0.01"],
  [0.005, "$0.01"],
  [12.4, "$12.40"],
])("formats %d dollars as %s", (dollars, words) => {
  expect(formatCost(dollars)).toBe(words);
});

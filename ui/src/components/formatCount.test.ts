import { expect, test } from "vitest";
import { formatCount } from "./formatCount";

test.each([
  [0, "0 nodes"],
  [1, "1 node"],
  [999, "999 nodes"],
  [10_000, "10,000 nodes"],
])("formats %i as %s", (count, words) => {
  expect(formatCount(count, "node")).toBe(words);
});

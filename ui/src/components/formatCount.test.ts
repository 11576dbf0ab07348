import { expect, test } from "vitest";
import { countWords } from "./formatCount";

test.each([
  [0, "0 nodes"],
  [1, "1 node"],
  [999, "999 nodes"],
  [10_000, "10,000 nodes"],
])("%i is told as %s", (count, words) => {
  expect(countWords(count, "node")).toBe(words);
});

import { expect, test } from "vitest";
import { moveUp } from "./teamDraft";

test.each([
  [0, ["a", "b", "c"]],
  [1, ["b", "a", "c"]],
  [2, ["a", "c", "b"]],
])("the member at %i moves one place up", (at, expected) => {
  expect(moveUp(["a", "b", "c"], at)).toEqual(expected);
});

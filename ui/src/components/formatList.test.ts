import { expect, test } from "vitest";
import { formatList } from "./formatList";

test.each([
  [[], ""],
  [["Build"], "Build"],
  [["Build", "Ship"], "Build and Ship"],
  [["Build", "Ship", "Test"], "Build, Ship and Test"],
])("%j is joined", (items, text) => {
  expect(formatList(items)).toBe(text);
});

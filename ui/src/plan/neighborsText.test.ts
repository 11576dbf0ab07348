import { expect, test } from "vitest";
import { neighborsText } from "./neighborsText";
import { planOf } from "./planFixture";

test.each([
  ["a", ["a>b"], "Before Title of b."],
  ["b", ["a>b", "b>c"], "After Title of a, before Title of c."],
  ["c", ["a>c", "b>c"], "After Title of a and Title of b."],
  ["d", ["a>b"], ""],
])("the neighbors of %s are named by title", (id, edges, words) => {
  expect(neighborsText(planOf(["a", "b", "c", "d"], edges), id)).toBe(words);
});

test("only the first of many neighbors are named", () => {
  const children = ["b", "c", "d", "e", "f", "g"];
  const plan = planOf(
    ["a", ...children],
    children.map((id) => `a>${id}`),
  );
  expect(neighborsText(plan, "a")).toBe(
    "Before Title of b, Title of c, Title of d, Title of e and 2 more.",
  );
});

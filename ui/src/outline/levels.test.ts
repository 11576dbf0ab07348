// @vitest-environment node
import { expect, test } from "vitest";
import { planOf } from "@/plan/planFixture";
import { computeLevels, indentOf } from "./levels";

test("a row's level is the longest chain before it, whatever the row order", () => {
  const plan = planOf(["d", "a", "b", "c"], ["a>b", "b>c", "a>c", "c>d"]);
  const levels = computeLevels(plan);
  expect(plan.nodes.map(({ id }) => indentOf(levels, id))).toEqual([3, 0, 1, 2]);
  expect(computeLevels({ ...plan }), "the same lists use the cached levels").toBe(levels);
});

test("a long chain leaves room for titles, and a cycle terminates", () => {
  const names = Array.from({ length: 30 }, (_, at) => `n${at}`);
  const chain = planOf(
    names,
    names.slice(1).map((name, at) => `n${at}>${name}`),
  );
  expect(indentOf(computeLevels(chain), "n29")).toBe(8);
  const ring = planOf(["a", "b"], ["a>b", "b>a"]);
  expect(indentOf(computeLevels(ring), "a")).toBe(0);
});

// @vitest-environment node
import { expect, test } from "vitest";
import { planOf } from "@/plan/planFixture";
import { computeLevels, indentOf, numberNodes } from "./levels";

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

test("numbers are topological, and otherwise follow the order of the file", () => {
  const numbersOf = (names: string[], edges: string[]) => {
    const plan = planOf(names, edges);
    return names.map((name) => numberNodes(plan).get(name));
  };
  expect(numbersOf(["a", "b", "c"], ["a>b", "b>c"])).toEqual([1, 2, 3]);
  expect(numbersOf(["d", "a", "b", "c"], ["a>b", "b>c", "a>c", "c>d"])).toEqual([4, 1, 2, 3]);
  expect(numbersOf(["x", "late", "early"], ["early>late"])).toEqual([1, 3, 2]);
  expect(new Set(numbersOf(["a", "b"], ["a>b", "b>a"])), "a cycle ends").toEqual(new Set([1, 2]));
});

test("notes have no number, and a long chain needs no deep stack", () => {
  const plan = planOf(["a", "b"], []);
  const [first, second] = plan.nodes;
  if (!first || !second) throw new Error("no nodes");
  const note = { ...first, kind: { kind: "note" as const, text: "" } };
  const numbers = numberNodes({ ...plan, nodes: [note, second] });
  expect([numbers.get("a"), numbers.get("b")]).toEqual([undefined, 1]);
  const names = Array.from({ length: 20_000 }, (_, at) => `n${at}`).reverse();
  const chain = planOf(
    names,
    names.slice(1).map((name, at) => `${name}>${names[at]}`),
  );
  expect(numberNodes(chain).get("n19999")).toBe(20_000);
});

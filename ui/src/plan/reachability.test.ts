// @vitest-environment node
import { expect, test } from "vitest";
import { planOf } from "./planFixture";
import { connectionRefusal, refusalText, refusedEnds } from "./reachability";

const plan = planOf(["a", "b", "c", "d"], ["a>b", "b>c", "a>d"]);

test("an edge back is refused with the cycle, by titles", () => {
  const refusal = connectionRefusal(plan, "c", "a");
  expect(refusal).toEqual({ why: "cycle", path: ["c", "a", "b", "c"] });
  expect(refusal && refusalText(refusal, plan)).toBe(
    "would create a cycle: Title of c → Title of a → Title of b → Title of c",
  );
});

test("forward edges are allowed; duplicates and self-references are not", () => {
  expect(connectionRefusal(plan, "a", "c")).toBeUndefined();
  expect(connectionRefusal(plan, "d", "b")).toBeUndefined();
  expect(connectionRefusal(plan, "a", "b")).toEqual({ why: "duplicate" });
  expect(connectionRefusal(plan, "a", "a")).toEqual({ why: "itself" });
});

test("the refused ends are exactly those that a single check refuses", () => {
  for (const { id } of plan.nodes) {
    const asParent = plan.nodes.filter((other) => connectionRefusal(plan, id, other.id));
    expect(refusedEnds(plan, id, "parent")).toEqual(new Set(asParent.map((node) => node.id)));
    const asChild = plan.nodes.filter((other) => connectionRefusal(plan, other.id, id));
    expect(refusedEnds(plan, id, "child")).toEqual(new Set(asChild.map((node) => node.id)));
  }
});

test("a long cycle is shortened in the middle", () => {
  const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
  const chain = planOf(
    names,
    names.slice(1).map((name, at) => `n${at}>${name}`),
  );
  const refusal = connectionRefusal(chain, "n11", "n0");
  expect(refusal && refusalText(refusal, chain)).toBe(
    "would create a cycle: Title of n11 → Title of n0 → Title of n1 → Title of n2 → 8 more → Title of n11",
  );
});

test("a chain of 5,000 is searched to its end at every pointer move", () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `n${at}`);
  const large = planOf(
    names,
    names.slice(1).map((name, at) => `n${at}>${name}`),
  );
  // If each search were slow, they would exceed the timeout of the test.
  for (let move = 0; move < 50; move += 1)
    expect(connectionRefusal(large, "n4999", `n${move}`)).toMatchObject({ why: "cycle" });
});

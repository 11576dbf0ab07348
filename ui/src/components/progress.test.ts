import { expect, test } from "vitest";
import type { NodeStateName } from "./nodeState";
import { progressWords, segmentsOf } from "./progress";

function many(state: NodeStateName, count: number): NodeStateName[] {
  return Array.from({ length: count }, () => state);
}

test("a small plan is drawn node by node, in its own order", () => {
  expect(segmentsOf(["pending", "done", "pending"])).toEqual([
    { state: "pending", nodes: 1 },
    { state: "done", nodes: 1 },
    { state: "pending", nodes: 1 },
  ]);
});

test("the 121st node makes the bar proportional", () => {
  expect(segmentsOf(many("done", 120))).toHaveLength(120);
  expect(segmentsOf([...many("pending", 21), ...many("done", 100)])).toEqual([
    { state: "done", nodes: 100 },
    { state: "pending", nodes: 21 },
  ]);
});

test.each([
  [[], "No nodes"],
  [["done", "skipped", "pending"], "2 of 3 finished"],
  [["done", "running", "running", "failed"], "1 of 4 finished, 2 running, 1 failed"],
] as const)("%j reads as %s", (states, words) => {
  expect(progressWords(states)).toBe(words);
});

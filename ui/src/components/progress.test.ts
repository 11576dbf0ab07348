import { expect, test } from "vitest";
import type { StateWord } from "@/api/bindings";
import { progressWords, segmentsOf, settledCount, stateWordOf } from "./progress";

function many(state: StateWord, count: number): StateWord[] {
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
  [["failed_skipped", "done", "skipped"], "3 of 3 finished, 1 failure skipped"],
  [["failed_skipped", "failed", "failed_skipped"], "2 of 3 finished, 1 failed, 2 failures skipped"],
] as const)("%j reads as %s", (states, words) => {
  expect(progressWords(states)).toBe(words);
});

test("a failure that was skipped over keeps a stretch of its own in a proportional bar", () => {
  const states = [...many("done", 150), ...many("failed_skipped", 2), ...many("skipped", 3)];
  expect(segmentsOf(states)).toEqual([
    { state: "done", nodes: 150 },
    { state: "skipped", nodes: 3 },
    { state: "failed_skipped", nodes: 2 },
  ]);
  expect(settledCount(states)).toBe(155);
});

test("only a failure that the plan tolerates is told from other skips", () => {
  const failure = { reason: "exit_code", code: 3 } as const;
  expect(stateWordOf({ state: "skipped", reason: { kind: "after_failure", failure } })).toBe(
    "failed_skipped",
  );
  expect(stateWordOf({ state: "skipped", reason: { kind: "by_hand" } })).toBe("skipped");
  expect(stateWordOf({ state: "done", byHand: false })).toBe("done");
});

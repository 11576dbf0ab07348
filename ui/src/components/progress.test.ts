import { expect, test } from "vitest";
import type { NodeStatus } from "@/api/bindings";
import { describeProgress, nodeStateKey, progressSegments, settledCount } from "./progress";

function many(state: NodeStatus, count: number): NodeStatus[] {
  return Array.from({ length: count }, () => state);
}

test("a small plan has one segment per node in plan order", () => {
  expect(progressSegments(["pending", "done", "pending"])).toEqual([
    { state: "pending", nodes: 1 },
    { state: "done", nodes: 1 },
    { state: "pending", nodes: 1 },
  ]);
});

test("the 121st node makes the bar proportional", () => {
  expect(progressSegments(many("done", 120))).toHaveLength(120);
  expect(progressSegments([...many("pending", 21), ...many("done", 100)])).toEqual([
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
] as const)("describes %j as %s", (states, words) => {
  expect(describeProgress(states)).toBe(words);
});

test("skipped failures keep their own segment in a proportional bar", () => {
  const states = [...many("done", 150), ...many("failed_skipped", 2), ...many("skipped", 3)];
  expect(progressSegments(states)).toEqual([
    { state: "done", nodes: 150 },
    { state: "skipped", nodes: 3 },
    { state: "failed_skipped", nodes: 2 },
  ]);
  expect(settledCount(states)).toBe(155);
});

test("a skipped failure is distinguished from other skips", () => {
  const failure = { reason: "exit_code", code: 3 } as const;
  expect(nodeStateKey({ state: "skipped", reason: { kind: "after_failure", failure } })).toBe(
    "failed_skipped",
  );
  expect(nodeStateKey({ state: "skipped", reason: { kind: "by_hand" } })).toBe("skipped");
  expect(nodeStateKey({ state: "done", byHand: false })).toBe("done");
});

import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import type { NodeStateName } from "@/components/nodeState";
import { isArrival, useArrivals } from "./useArrivals";

test.each<[NodeStateName | undefined, NodeStateName | undefined, boolean]>([
  ["running", "done", true],
  ["running", "failed", true],
  ["running", "waiting", true],
  ["waiting", "skipped", true],
  ["waiting", "running", false],
  ["pending", "running", false],
  ["running", "pending", false],
  ["done", "failed", false],
  [undefined, "done", false],
  ["running", undefined, false],
])("from %s to %s is an arrival: %s", (before, now, expected) => {
  expect(isArrival(before, now)).toBe(expected);
});

test("a card counts arrivals from when it is first shown", () => {
  const { result, rerender } = renderHook(({ state }) => useArrivals(state), {
    initialProps: { state: "done" as NodeStateName | undefined },
  });
  const counts = [result.current];
  for (const state of ["running", "running", "done", "done", undefined, "failed"] as const) {
    rerender({ state });
    counts.push(result.current);
  }
  expect(counts).toEqual([0, 0, 0, 1, 1, 1, 1]);
});

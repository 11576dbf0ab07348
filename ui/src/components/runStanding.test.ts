import { expect, test } from "vitest";
import { runStanding } from "./runStanding";

test("a run that did the node that was asked for is not called paused", () => {
  const state = { state: "paused", reason: "goal_reached" } as const;
  expect(runStanding({ state, progress: ["done", "pending", "pending", "pending"] })).toEqual({
    state: "goal_reached",
    detail: "Node done, 3 nodes not run",
  });
  expect(runStanding({ state, progress: ["done", "done", "blocked"] }).detail).toBe(
    "2 nodes done, 1 node not run",
  );
});

test("failures that were skipped over are counted", () => {
  const state = { state: "completed" } as const;
  expect(runStanding({ state, progress: ["done", "skipped"] })).toEqual({ state: "completed" });
  expect(runStanding({ state, progress: ["done", "skipped"], skippedFailures: 1 }).detail).toBe(
    "Completed, 1 failure skipped",
  );
});

test("a person's pause is a pause", () => {
  const state = { state: "paused", reason: "asked" } as const;
  expect(runStanding({ state, progress: ["done", "pending"] })).toEqual({ state: "paused" });
});

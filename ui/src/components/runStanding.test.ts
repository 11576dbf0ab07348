import { expect, test } from "vitest";
import type { RunSummary } from "@/api/bindings";
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

test("a run that was taken over says what it waits for", () => {
  const progress = ["done", "pending"] as const;
  const standing = (state: RunSummary["state"]) => runStanding({ state, progress: [...progress] });
  expect(standing({ state: "paused", reason: "taken_over" })).toEqual({ state: "review" });
  expect(standing({ state: "running", ending: { kind: "reviewing" } })).toEqual({
    state: "review",
  });
  expect(standing({ state: "running", ending: { kind: "verifying" } })).toEqual({
    state: "running",
    detail: "Verifying inherited work",
  });
});

test("a person's pause is a pause", () => {
  const state = { state: "paused", reason: "asked" } as const;
  expect(runStanding({ state, progress: ["done", "pending"] })).toEqual({ state: "paused" });
});

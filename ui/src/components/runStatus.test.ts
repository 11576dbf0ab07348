import { expect, test } from "vitest";
import type { RunSummary } from "@/api/bindings";
import { summarizeRunStatus } from "./runStatus";

test("a run that reached its goal is not shown as paused", () => {
  const state = { state: "paused", reason: "goal_reached" } as const;
  expect(
    summarizeRunStatus({ state, progress: ["done", "pending", "pending", "pending"] }),
  ).toEqual({
    state: "goal_reached",
    detail: "Node done, 3 nodes not run",
  });
  expect(summarizeRunStatus({ state, progress: ["done", "done", "blocked"] }).detail).toBe(
    "2 nodes done, 1 node not run",
  );
});

test("skipped failures are counted", () => {
  const state = { state: "completed" } as const;
  expect(summarizeRunStatus({ state, progress: ["done", "skipped"] })).toEqual({
    state: "completed",
  });
  expect(
    summarizeRunStatus({ state, progress: ["done", "skipped"], skippedFailures: 1 }).detail,
  ).toBe("Completed, 1 failure skipped");
});

test("a run after a takeover waits for review", () => {
  const progress = ["done", "pending"] as const;
  const statusOf = (state: RunSummary["state"]) =>
    summarizeRunStatus({ state, progress: [...progress] });
  expect(statusOf({ state: "paused", reason: "taken_over" })).toEqual({ state: "review" });
  expect(statusOf({ state: "running", ending: { kind: "reviewing" } })).toEqual({
    state: "review",
  });
  expect(statusOf({ state: "running", ending: { kind: "verifying" } })).toEqual({
    state: "running",
    detail: "Verifying inherited work",
  });
});

test("a run paused by a person is shown as paused", () => {
  const state = { state: "paused", reason: "asked" } as const;
  expect(summarizeRunStatus({ state, progress: ["done", "pending"] })).toEqual({ state: "paused" });
});

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { NodeStatus, RunSummary } from "@/api/bindings";
import { runSummaryOf, summaryOf } from "@/plan/planSummaryFixture";
import { RunStatusLabel } from "./RunStatusLabel";

function open(lastRun: Partial<RunSummary>, waitingForPerson = false) {
  const onOpenAt = vi.fn();
  const summary = runSummaryOf("p", lastRun);
  render(
    <RunStatusLabel
      plan={summaryOf("p", { lastRun: summary })}
      waitingForPerson={waitingForPerson}
      onResume={() => {}}
      onOpenAt={onOpenAt}
    />,
  );
  return onOpenAt;
}

test.each<[string, Partial<RunSummary>, boolean, NodeStatus]>([
  ["Waiting for you", { progress: ["waiting", "pending"] }, true, "waiting"],
  [
    "Failed",
    { state: { state: "failed", message: "a failed" }, progress: ["failed", "blocked"] },
    false,
    "failed",
  ],
  [
    "Completed, 1 failure skipped",
    {
      state: { state: "completed" },
      progress: ["failed_skipped", "done"],
      skippedFailures: 1,
    },
    false,
    "failed_skipped",
  ],
])("%s leads to its cause", async (name, lastRun, waiting, expected) => {
  const onOpenAt = open(lastRun, waiting);
  await userEvent.click(screen.getByRole("button", { name }));
  expect(onOpenAt).toHaveBeenCalledWith(expected);
});

test("a completed run leads nowhere else than its blueprint", () => {
  open({ state: { state: "completed" }, progress: ["done", "done"] });
  expect(screen.getByText("Completed")).toBeVisible();
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

import { expect, test, vi } from "vitest";
import type { Backend } from "@/api/Backend";
import type { ApprovalChangesView } from "@/api/bindings";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { summaryOf } from "@/plan/planSummaryFixture";
import { approvalChanges } from "@/plan/sinceApprovalFixture";
import { createPlanActions } from "./planActions";

const plan = planOf(["a"], []);
const { summary: lastRun } = runOf(plan, {});

/** Presses Run in the list for an approved blueprint that ran before. */
async function run(changes: ApprovalChangesView) {
  const answers: Record<string, unknown> = {
    plan_get: viewOf(plan, { review: "approved", approvedVersion: 1, lastRun }),
    plan_preflight: { mayRun: true, needsApproval: false, checks: [] },
    approval_changes: changes,
  };
  const call = vi.fn(async (name: string) => answers[name]);
  const ask = vi.fn();
  const actions = createPlanActions({
    backend: { call } as unknown as Backend,
    navigate: vi.fn(),
    ask,
    note: vi.fn(),
  });
  await actions.run(summaryOf("plan", { review: "approved", lastRun }));
  return { ask, started: call.mock.calls.some(([name]) => name === "run_start") };
}

test("Run in the list starts at once if nothing changed since the approval", async () => {
  const { ask, started } = await run(approvalChanges());
  expect(started).toBe(true);
  expect(ask).not.toHaveBeenCalled();
});

test.each([
  ["a new commit", approvalChanges({ commitCount: 1 })],
  ["another branch", approvalChanges({ branch: { from: "main", to: "feature" } })],
  [
    "another version of an agent",
    approvalChanges(
      {},
      { any: true, agents: [{ agent: "claude", change: { kind: "version", from: "1", to: "2" } }] },
    ),
  ],
])("Run in the list asks after %s, and shows it", async (_, changes) => {
  const { ask, started } = await run(changes);
  expect(started).toBe(false);
  // The dialog shows what was read, without waiting for git again.
  expect(ask).toHaveBeenCalledWith(expect.objectContaining({ kind: "run", changes }));
});

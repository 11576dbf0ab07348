import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { approvalChanges } from "@/plan/sinceApprovalFixture";
import { ApprovalFields } from "./ApprovalFields";

const agentKind = { kind: "agent", agent: null, model: null, prompt: "Go.", toolScope: null };

const approval = {
  version: 1,
  actor: "person:shell",
  at: Date.UTC(2026, 4, 3, 14, 2),
  digest: "00",
  files: ["tests/check.sh"],
};

test("shows which files the approval covers, and can approve again", async () => {
  const view = viewOf(planOf(["a"], []), { review: "approved", approvedVersion: 1, approval });
  const again = { ...view, revision: 2, approval: { ...approval, files: ["tests/other.sh"] } };
  const { call } = openBlueprint(<ApprovalFields />, {
    view,
    answers: { plan_approve: again, approval_changes: approvalChanges() },
  });
  expect(screen.getByText(/^Approved by you, in a shell, .* 1 file$/)).toBeVisible();
  expect(screen.getByText("tests/check.sh")).toBeVisible();
  expect(await screen.findByText(/^Nothing changed since/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Approve again" }));
  const input = { plan: "plan", revision: 1, anyway: false };
  expect(call).toHaveBeenCalledWith("plan_approve", input);
  expect(await screen.findByText("tests/other.sh")).toBeVisible();
});

test("a draft has no Approve again button, and agents may start it only once allowed", async () => {
  const view = viewOf(planOf(["a"], []));
  const { call, editor } = openBlueprint(<ApprovalFields />, {
    view,
    answers: { plan_agents_may_start: { ...view, agentsMayStart: true } },
  });
  expect(screen.getByText("Not approved yet")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Approve again" })).toBeNull();
  const choice = screen.getByRole("switch", { name: "Let agents start the approved version" });
  expect(choice).not.toBeChecked();
  await userEvent.click(choice);
  expect(call).toHaveBeenCalledWith("plan_agents_may_start", { plan: "plan", allowed: true });
  await vi.waitFor(() => expect(editor.getState().view.agentsMayStart).toBe(true));
  expect(choice).toBeChecked();
});

test("names nodes that may use any tool", () => {
  const plan = planOf(["a"], []);
  for (const node of plan.nodes) Object.assign(node, { kind: agentKind, toolsRequired: [] });
  openBlueprint(<ApprovalFields />, { view: viewOf(plan) });
  expect(screen.getByText(/may use any tool, including the shell\.$/)).toBeVisible();
});

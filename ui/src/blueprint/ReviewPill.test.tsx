import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { approvalChanges } from "@/plan/sinceApprovalFixture";
import { ReviewPill } from "./ReviewPill";

test("the pill opens what changed since the approval, with the keyboard too", async () => {
  const view = viewOf(planOf(["a"], []), { review: "approved", approvedVersion: 1 });
  const answers = { approval_changes: approvalChanges({ branch: { from: "main", to: "x" } }) };
  openBlueprint(<ReviewPill />, { view, answers });
  const pill = screen.getByRole("button", { name: "Approved" });
  pill.focus();
  await userEvent.keyboard("{Enter}");
  const popover = screen.getByRole("dialog", { name: "Approval" });
  expect(await within(popover).findByText("Branch switched from main to x")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(pill).toHaveFocus();
});

test("an edited draft compares with the approved version, a new one with nothing", async () => {
  const plan = planOf(["a"], []);
  const edited = viewOf(plan, { version: 2, approvedVersion: 1 });
  const { unmount } = openBlueprint(<ReviewPill />, {
    view: edited,
    answers: { approval_changes: approvalChanges() },
  });
  await userEvent.click(screen.getByRole("button", { name: "Draft, edited since approval" }));
  const popover = screen.getByRole("dialog", { name: "Approval" });
  expect(await within(popover).findByText(/^Nothing changed since/)).toBeVisible();
  expect(popover).toHaveTextContent("Version 1 was approved and has been edited since.");
  unmount();
  const { call } = openBlueprint(<ReviewPill />, { view: viewOf(plan) });
  await userEvent.click(screen.getByRole("button", { name: "Draft" }));
  expect(
    within(screen.getByRole("dialog")).getByText("Draft. Approve it to run it."),
  ).toBeVisible();
  expect(call).not.toHaveBeenCalledWith("approval_changes", expect.anything());
});

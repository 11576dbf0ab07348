import { configure, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { ProposalView } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { planOf, viewOf } from "@/plan/planFixture";
import { changingProposal, proposalOf } from "@/plan/proposalFixture";
import type { FakeAnswers } from "@/shell/renderWithBackend";

configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });
vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

const plan = planOf(["a"], []);

function open(view: ProposalView, answers: FakeAnswers = {}) {
  return renderApp("/proposals/p", {
    proposal_get: () => view,
    proposal_accept: () => ({ plan: viewOf(plan), run: null }),
    proposal_reject: () => view,
    proposal_retry: () => view,
    proposal_cancel: () => view,
    ...answers,
  });
}

test("what the planner proposes is shown with its reasons, and HTML in them stays text", async () => {
  open(changingProposal());
  expect(await screen.findByText("1 finished node becomes stale.")).toBeVisible();
  expect(screen.getByText("Because <b>b</b> failed.", { exact: false })).toBeVisible();
  expect(screen.getByText("A, c and d form a chain.")).toBeVisible();
  const report = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  expect(report.violations.map(({ id }) => id)).toEqual([]);
});

test("changes that are not wanted stay out", async () => {
  const { asked } = open(changingProposal());
  await userEvent.click(await screen.findByRole("checkbox", { name: /Remove Title of b/ }));
  await userEvent.click(screen.getByRole("button", { name: "Accept chosen changes" }));
  expect(asked("proposal_accept")).toEqual([
    {
      proposal: "p",
      changes: [
        { change: "add_node", node: "d" },
        { change: "change_node", node: "c" },
      ],
      resume: false,
    },
  ]);
});

test("a replan can be accepted and run on at once", async () => {
  const { asked, router } = open(changingProposal());
  await userEvent.click(await screen.findByRole("button", { name: "Accept and resume" }));
  expect(asked("proposal_accept")).toEqual([{ proposal: "p", changes: null, resume: true }]);
  await waitFor(() => expect(router.state.location.pathname).toBe("/blueprints/plan"));
});

test("a refusal stays in sight", async () => {
  open(changingProposal(), {
    proposal_accept: () => {
      throw new ApiError("conflict", "The blueprint was changed meanwhile.");
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
  expect(await screen.findByText("The blueprint was changed meanwhile.")).toBeVisible();
});

test("a rejection carries its reason to the planner", async () => {
  const { asked } = open(changingProposal());
  await userEvent.click(await screen.findByRole("button", { name: "Reject" }));
  const again = screen.getByRole("button", { name: "Reject and plan again" });
  expect(again).toBeDisabled();
  await userEvent.type(screen.getByLabelText("What's wrong with it?"), "Keep b");
  await userEvent.click(again);
  expect(asked("proposal_reject")).toEqual([{ proposal: "p", feedback: "Keep b", again: true }]);
});

test("a planner at work can be watched and called off", async () => {
  const { asked } = open(proposalOf(null));
  expect(await screen.findByText("The session hasn't started")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Cancel planning" }));
  expect(asked("proposal_cancel")).toEqual([{ proposal: "p" }]);
});

test("a failure says why and offers another try", async () => {
  const state = { state: "failed", why: "the answer names unknown nodes" } as const;
  const { asked } = open(proposalOf(null, null, { state }));
  expect(await screen.findByText("The answer names unknown nodes.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await userEvent.click(screen.getByRole("button", { name: "Plan again" }));
  expect(asked("proposal_retry")).toEqual([{ proposal: "p", feedback: "" }]);
});

test("what was planned for another version cannot be accepted", async () => {
  const view = changingProposal();
  const { target } = view.summary;
  if (target) target.moved = true;
  open(view);
  expect(await screen.findByText(/changed after the planner read it/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Accept/ })).toBeNull();
});

test("an explanation is only read", async () => {
  open(
    proposalOf(
      null,
      plan,
      { kind: "explain", state: { state: "ready" } },
      { explanation: "# How" },
    ),
  );
  expect(await screen.findByRole("heading", { name: "How" })).toBeVisible();
  expect(screen.queryByRole("button", { name: /Accept/ })).toBeNull();
});

test("what has expired says so, and is asked for again or put away", async () => {
  const { asked } = open(proposalOf(plan, null, { state: { state: "expired" }, expiresAt: 0 }));
  expect(await screen.findByText(/^Nobody decided in time, so this expired on/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled();
  expect(screen.queryByRole("button", { name: "Accept as draft" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(asked("proposal_cancel")).toEqual([{ proposal: "p" }]);
});

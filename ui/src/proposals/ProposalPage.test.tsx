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

configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 40_000 });
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

test("shows a proposal with its reasoning, and HTML in it stays text", async () => {
  open(changingProposal());
  expect(await screen.findByText("1 finished node becomes stale.")).toBeVisible();
  expect(screen.getByText("Because <b>b</b> failed.", { exact: false })).toBeVisible();
  expect(screen.getByText("A, c and d form a chain.")).toBeVisible();
  const report = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
  expect(report.violations.map(({ id }) => id)).toEqual([]);
});

test("a stale proposal says what has changed, and can be accepted", async () => {
  const view = proposalOf(
    planOf(["a"], []),
    null,
    {},
    {
      freshness: {
        stale: true,
        base: null,
        project: {
          kind: "compared",
          commit: "0123456789abcdef",
          place: "in_history",
          newCommits: 1,
          namedFiles: ["src/<b>a</b>.rs"],
          otherFiles: 0,
        },
        missingAgents: [],
      },
    },
  );
  const { asked } = open(view);
  expect(await screen.findByText(/What this proposal was made from has changed/)).toBeVisible();
  expect(screen.getByText("Files that it names have changed: src/<b>a</b>.rs.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Accept as draft" }));
  expect(asked("proposal_accept")).toHaveLength(1);
});

test("unchecked changes are not accepted", async () => {
  const { asked } = open(changingProposal());
  await userEvent.click(await screen.findByRole("checkbox", { name: /Remove Title of b/ }));
  await userEvent.click(screen.getByRole("button", { name: "Accept selected changes" }));
  expect(asked("proposal_accept")).toEqual([
    {
      proposal: "p",
      round: 1,
      changes: [
        { change: "add_node", node: "d" },
        { change: "change_node", node: "c" },
      ],
      resume: false,
    },
  ]);
});

test("a replan can be accepted and resumed immediately", async () => {
  const { asked, router } = open(changingProposal());
  await userEvent.click(await screen.findByRole("button", { name: "Accept and resume" }));
  expect(asked("proposal_accept")).toEqual([
    { proposal: "p", round: 1, changes: null, resume: true },
  ]);
  await waitFor(() => expect(router.state.location.pathname).toBe("/blueprints/plan"));
});

test("an error stays visible", async () => {
  open(changingProposal(), {
    proposal_accept: () => {
      throw new ApiError("conflict", "The blueprint was changed meanwhile.");
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
  expect(await screen.findByText("The blueprint was changed meanwhile.")).toBeVisible();
});

test("a rejection sends its reason to the planner", async () => {
  const { asked } = open(changingProposal());
  await userEvent.click(await screen.findByRole("button", { name: "Reject" }));
  const again = screen.getByRole("button", { name: "Reject and try again" });
  expect(again).toBeDisabled();
  await userEvent.type(screen.getByLabelText("What's wrong with it?"), "Keep b");
  await userEvent.click(again);
  expect(asked("proposal_reject")).toEqual([
    { proposal: "p", round: 1, reason: null, feedback: "Keep b", again: true },
  ]);
});

test("a running planner shows its session and can be canceled", async () => {
  const { asked } = open(proposalOf(null));
  expect(await screen.findByText("The session hasn't started")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Cancel planning" }));
  expect(asked("proposal_cancel")).toEqual([{ proposal: "p" }]);
});

test("a failure shows the reason and can be retried", async () => {
  const state = { state: "failed", why: "the answer names unknown nodes" } as const;
  const { asked } = open(proposalOf(null, null, { state }));
  expect(await screen.findByText("The answer names unknown nodes.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(asked("proposal_retry")).toEqual([{ proposal: "p", feedback: "" }]);
});

test("a proposal for another version cannot be accepted", async () => {
  const view = changingProposal();
  const { target } = view.summary;
  if (target) target.moved = true;
  open(view);
  expect(await screen.findByText(/changed after the planner read it/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Accept/ })).toBeNull();
});

test("an explanation cannot be accepted", async () => {
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

test("an expired proposal can be retried or dismissed", async () => {
  const { asked } = open(proposalOf(plan, null, { state: { state: "expired" }, expiresAt: 0 }));
  expect(await screen.findByText(/^This proposal expired on/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled();
  expect(screen.queryByRole("button", { name: "Accept as draft" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(asked("proposal_cancel")).toEqual([{ proposal: "p" }]);
});

test("a submitted proposal has no planner, and comments on it are shown and sent", async () => {
  const view = proposalOf(plan, null, {
    kind: "submitted",
    author: { agent: "ci", title: "ci", model: null, automatic: false, submittedBy: "program:ci" },
  });
  view.comments = [
    {
      id: 1,
      place: { on: "field", node: "a", field: "command" },
      text: "Use <b>make</b>",
      author: "person:window",
      at: 0,
      round: 1,
      answer: { text: "Done", author: "program:ci", at: 1, round: 2 },
    },
  ];
  const { asked } = open(view, { proposal_comment: () => view });
  expect(await screen.findByText("Use <b>make</b>")).toBeVisible();
  expect(screen.getByText("Done", { exact: false })).toBeVisible();
  expect(screen.queryByRole("tab", { name: "Planner's session" })).toBeNull();
  // By keyboard: without a layout, the handle between the panels takes the clicks.
  screen.getByLabelText("Comment on the blueprint").focus();
  await userEvent.keyboard(" Smaller, please ");
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  expect(asked("proposal_comment")).toEqual([
    { proposal: "p", round: 1, place: { on: "plan" }, text: "Smaller, please" },
  ]);
  await waitFor(() => expect(screen.getByLabelText("Comment on the blueprint")).toHaveValue(""));
});

test("a submitted proposal that was rejected waits for its submitter", async () => {
  const view = proposalOf(plan, null, {
    kind: "submitted",
    state: { state: "working" },
    author: { agent: "ci", title: "ci", model: null, automatic: false, submittedBy: "program:ci" },
  });
  const { asked } = open(view);
  expect(await screen.findByText(/^ci was asked for another draft/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(asked("proposal_cancel")).toEqual([{ proposal: "p" }]);
});

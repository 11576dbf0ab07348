import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import { renderApp } from "@/app/renderApp";
import { makeInboxItem } from "@/pending/inboxFixture";
import { planOf, viewOf } from "@/plan/planFixture";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import "./InboxPage";

configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });

const view = viewOf(planOf(["a"], []));

function open(needsReview: boolean, answers: FakeAnswers = {}) {
  const ask = {
    kind: "plan_review",
    revision: 7,
    submittedBy: "program:ci",
    needsReview,
  } as const;
  return renderApp("/inbox", {
    inbox_list: () => [makeInboxItem(ask, { run: "plan", node: null })],
    requests_list: () => [],
    plan_approve: () => view,
    plan_reject: () => view,
    ...answers,
  });
}

const group = () => screen.findByRole("region", { name: /^Blueprints to review/ });

test("a submitted blueprint is approved at the revision that was seen", async () => {
  const { asked } = open(false);
  const shown = within(await group());
  expect(shown.getByText("Program ci submitted a blueprint for review")).toBeVisible();
  expect(shown.getByRole("link", { name: "Release" })).toHaveAttribute("href", "/blueprints/plan");
  await userEvent.click(shown.getByRole("button", { name: "Approve" }));
  await waitFor(() =>
    expect(asked("plan_approve")).toEqual([{ plan: "plan", revision: 7, anyway: false }]),
  );
});

test("a rejection has a reason from the list and words, and keeps the words after an error", async () => {
  let fails = true;
  const { asked } = open(true, {
    plan_reject: () => {
      if (fails) throw new ApiError("conflict", "The blueprint was changed meanwhile.");
      return view;
    },
  });
  const shown = within(await group());
  expect(shown.getByText("Rejected three times and needs your review")).toBeVisible();
  await userEvent.click(shown.getByRole("button", { name: "Reject" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Reject blueprint" }));
  const words = dialog.getByLabelText("What's wrong with it?");
  expect(words).toHaveFocus();
  await userEvent.type(words, "No tests");
  await userEvent.tab({ shift: true });
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("option", { name: "Missing check" }));
  await userEvent.click(dialog.getByRole("button", { name: "Reject" }));
  expect(await dialog.findByText(/The blueprint was changed meanwhile/)).toBeVisible();
  expect(words).toHaveValue("No tests");
  fails = false;
  await userEvent.click(dialog.getByRole("button", { name: "Reject" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const sent = { plan: "plan", baseRevision: 7, reason: "missing_check", feedback: "No tests" };
  expect(asked("plan_reject")).toEqual([sent, sent]);
});

import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Comment, ProposalView } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { planOf } from "@/plan/planFixture";
import { changingProposal } from "@/plan/proposalFixture";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { commentPlaces, openCommentCounts } from "./commentPlaces";
// Pages are loaded lazily. Importing this one here keeps the tests fast.
import "./ProposalPage";

configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 40_000 });

function open(view: ProposalView, answers: FakeAnswers = {}) {
  return renderApp("/proposals/p", {
    proposal_get: () => view,
    proposal_comment: () => view,
    proposal_reject: () => view,
    ...answers,
  });
}

test("at first, only changes since a person's last word are listed", async () => {
  const view = changingProposal();
  view.sinceReviewed = {
    nodesAdded: ["d"],
    nodesRemoved: [],
    nodesChanged: [],
    edgesAdded: [],
    edgesRemoved: [],
    groupsChanged: false,
    planChanged: false,
  };
  open(view);
  expect(await screen.findByRole("checkbox", { name: /Add Title of d/ })).toBeVisible();
  expect(screen.queryByRole("checkbox", { name: /Remove Title of b/ })).toBeNull();
  const filter = screen.getByRole("switch", { name: "Only changes since my last word" });
  filter.focus();
  await userEvent.keyboard(" ");
  expect(await screen.findByRole("checkbox", { name: /Remove Title of b/ })).toBeVisible();
});

test("deselecting a node deselects what needs it", async () => {
  open(changingProposal());
  // The fixture's change of c needs the new node d.
  const add = await screen.findByRole("checkbox", { name: /Add Title of d/ });
  const change = screen.getByRole("checkbox", { name: /Change Title of c/ });
  add.focus();
  await userEvent.keyboard(" ");
  expect(change).not.toBeChecked();
  change.focus();
  await userEvent.keyboard(" ");
  expect(add).toBeChecked();
});

test("a submitted proposal names who submitted it, and no planner", async () => {
  const view = changingProposal();
  view.summary.kind = "submitted";
  view.summary.author = {
    agent: "ci",
    title: "ci",
    model: null,
    automatic: false,
    submittedBy: "program:ci",
  };
  const { asked } = open(view);
  expect(await screen.findByText("Program ci submitted this")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Reject" }));
  const dialog = within(screen.getByRole("dialog", { name: "Reject proposal" }));
  expect(dialog.queryByText(/planner/)).toBeNull();
  await userEvent.type(dialog.getByRole("textbox"), "Add a test.");
  await userEvent.click(dialog.getByRole("button", { name: "Request changes" }));
  await waitFor(() => expect(asked("proposal_reject")).toMatchObject([{ again: true }]));
});

test("a rejection sends a reason from the list, even without words", async () => {
  const { asked } = open(changingProposal());
  await userEvent.click(await screen.findByRole("button", { name: "Reject" }));
  const dialog = within(screen.getByRole("dialog", { name: "Reject proposal" }));
  await userEvent.tab({ shift: true });
  await userEvent.keyboard("{Enter}");
  await userEvent.click(await screen.findByRole("option", { name: "Too big" }));
  await userEvent.click(dialog.getByRole("button", { name: "Reject and try again" }));
  await waitFor(() =>
    expect(asked("proposal_reject")).toEqual([
      { proposal: "p", round: 1, reason: "too_big", feedback: "", again: true },
    ]),
  );
});

test("places for a comment are the node, its fields, its edges and the blueprint", () => {
  const draft = planOf(["a", "b", "c"], ["a>b", "b>c"]);
  expect(commentPlaces(draft, undefined).map(({ id }) => id)).toEqual(["plan"]);
  const ids = commentPlaces(draft, "b").map(({ id }) => id);
  expect(ids[0]).toBe("node");
  expect(ids).toContain("field acceptanceCriteria");
  expect(ids).toContain("edge a b");
  expect(ids).toContain("edge b c");
  expect(ids.at(-1)).toBe("plan");
});

test("only comments that nobody answered are counted at a node", () => {
  const comment = (id: number, facts: Partial<Comment>): Comment => ({
    ...{ id, text: "?", author: "person:window", at: 0, round: 1, answer: null },
    place: { on: "plan" },
    ...facts,
  });
  const answer = { text: "Done", author: "agent:claude", at: 1, round: 2 };
  const edge = { parent: "a", child: "b", soft: false, inferred: false };
  const counts = openCommentCounts([
    comment(1, {}),
    comment(2, { place: { on: "node", node: "a" }, answer }),
    comment(3, { place: { on: "field", node: "b", field: "prompt" } }),
    comment(4, { place: { on: "edge", edge } }),
  ]);
  expect([...counts]).toEqual([["b", 2]]);
});

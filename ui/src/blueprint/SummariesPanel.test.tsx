import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Enrichment, NodeSummaryView, RunSummariesView } from "@/api/bindings";
import { useInspectorTab } from "@/plan/inspectorTab";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { SummariesPanel } from "./SummariesPanel";

const plan = planOf(["a", "b", "c"], ["a>b"]);
const run = runOf(plan, { a: { state: "done", byHand: false } });

function summaryOf(node: string, more: Partial<NodeSummaryView> = {}): NodeSummaryView {
  return { node, attempt: 1, markdown: `**${node}** passed`, cut: false, ...more };
}

function open(summaries: NodeSummaryView[], leftOut = 0, now = plan) {
  const answer: RunSummariesView = { summaries, leftOut };
  return openBlueprint(<SummariesPanel run={run} headPlace={document.body} />, {
    view: viewOf(now),
    run,
    answers: { run_summaries: answer },
  });
}

test("summaries are listed in the run's order, and lead to their nodes", async () => {
  const { editor } = open([summaryOf("b"), summaryOf("a", { attempt: 2, cut: true })], 3);
  const sections = await screen.findAllByRole("region", { name: /^Summary of/ });
  expect(sections.map((section) => section.getAttribute("aria-label"))).toEqual([
    "Summary of Title of b",
    "Summary of Title of a",
  ]);
  const [, second] = sections as [HTMLElement, HTMLElement];
  expect(within(second).getByText("a").tagName).toBe("STRONG");
  expect(within(second).getByText("Attempt 2")).toBeVisible();
  expect(within(second).getByText(/^Only the beginning is shown/)).toBeVisible();
  expect(screen.getByRole("status")).toHaveTextContent("5 summaries");
  expect(screen.getByText(/^3 more nodes wrote a summary/)).toBeVisible();

  await userEvent.click(within(second).getByRole("button", { name: "Title of a" }));
  expect([...editor.getState().selection]).toEqual(["a"]);
  expect(useInspectorTab.getState().tab).toBe("handoff");
});

test("a summary of a deleted node leads nowhere", async () => {
  open([summaryOf("b")], 0, planOf(["a"], []));
  const section = await screen.findByRole("region", { name: "Summary of Title of b" });
  expect(within(section).queryByRole("button")).toBeNull();
  expect(within(section).getByText("Title of b")).toBeVisible();
});

test("many summaries are shown in parts, none explains how to write one", async () => {
  const { unmount } = open(
    Array.from({ length: 50 }, () => summaryOf("a")).map((each, at) => ({
      ...each,
      node: `n${at}`,
    })),
  );
  expect(await screen.findAllByRole("region", { name: /^Summary of/ })).toHaveLength(20);
  await userEvent.click(screen.getByRole("button", { name: "Show more, 30 left" }));
  expect(screen.getAllByRole("region", { name: /^Summary of/ })).toHaveLength(40);
  unmount();

  open([]);
  expect(await screen.findByText("No summaries")).toBeVisible();
  expect(screen.getByText(/BATON_SUMMARY/)).toBeVisible();
});

test("without a run, the panel says how to get one", () => {
  openBlueprint(<SummariesPanel run={undefined} headPlace={null} />, { view: viewOf(plan) });
  expect(screen.getByText(/^No run is shown/)).toBeVisible();
});

test("a person's note on the run is shown above the summaries, and can be edited", async () => {
  const all = { plans: {}, nodes: {}, sessions: {} };
  const { call } = openBlueprint(<SummariesPanel run={run} headPlace={document.body} />, {
    view: viewOf(plan),
    run,
    answers: {
      run_summaries: { summaries: [], leftOut: 0 },
      enrichments_get: { ...all, runs: { [run.summary.id]: noteOf("The **flaky** one") } },
    },
  });
  const note = await screen.findByRole("region", { name: "Your note" });
  expect((await within(note).findByText("flaky")).tagName).toBe("STRONG");
  await userEvent.click(within(note).getByRole("button", { name: "Edit your note" }));
  const field = screen.getByRole("textbox", { name: "Note" });
  await userEvent.clear(field);
  await userEvent.type(field, "Fixed{Control>}{Enter}{/Control}");
  expect(await within(note).findByText("Fixed")).toBeVisible();
  expect(call).toHaveBeenCalledWith("enrichment_save", {
    subject: "run",
    id: run.summary.id,
    enrichment: noteOf("Fixed"),
  });
});

function noteOf(notes: string): Enrichment {
  return { starred: false, tags: [], notes };
}

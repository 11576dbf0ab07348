import { act, configure, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { Change, Plan, PlanSaved } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { place } from "@/plan/edits";
import { planOf, runOf, savedOf, viewOf } from "@/plan/planFixture";
import { resetAppState } from "@/shell/appState";

// A graph of boxes that jsdom cannot measure; what its drag does to the plan is one edit.
vi.mock("@/graph/Canvas", () => ({
  Canvas: () => {
    const { editor } = useBlueprint();
    const x = useEditor((state) => state.plan.nodes[0]?.position?.x);
    const title = useEditor((state) => state.plan.title);
    const saveState = useEditor((state) => state.saveState);
    const drop = () =>
      editor.getState().edit("Move", (plan) => place(plan, new Map([["a", { x: 70, y: 0 }]])));
    return (
      <>
        <button type="button" onClick={drop}>
          Drag a
        </button>
        <output>{`${title}: a at ${x}, ${saveState}`}</output>
      </>
    );
  },
}));
// A save waits for the last edit, and a busy machine takes its time over a page.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

afterEach(resetAppState);

const plan = planOf(["a", "b"], ["a>b"]);
const reads = ["plan_get", "plan_version_get"] as const;

/** The window with a blueprint that has run, over a backend that keeps what is saved. */
async function open(onSave: (saved: PlanSaved) => PlanSaved | Promise<PlanSaved>) {
  const run = runOf(plan, { a: { state: "done", byHand: false } });
  const { plan: _, ...progress } = run;
  const kept = { view: viewOf(plan, { lastRun: run.summary }) };
  const answers = {
    inbox_list: () => [],
    requests_list: () => [],
    runs_list: () => [run.summary],
    plans_list: () => [],
    plan_get: () => kept.view,
    plan_version_get: (): Plan => kept.view.plan,
    run_progress: () => progress,
    plan_save: ({ plan: sent, baseRevision }: { plan: Plan; baseRevision: number }) => {
      // Only the layout changed: the same version, a new revision.
      const saved = savedOf({ version: 1, revision: baseRevision + 1 });
      kept.view = { ...kept.view, ...saved, plan: sent };
      return onSave(saved) as PlanSaved;
    },
  };
  const app = renderApp(`/blueprints/${plan.id}`, answers);
  await screen.findByText("Plan: a at 0, saved", {}, { timeout: 20_000 });
  await waitFor(() => expect(app.asked("plan_version_get")).not.toHaveLength(0));
  const before = reads.map((name) => app.asked(name).length);
  return {
    ...app,
    kept,
    /** Tells the window of a change, and waits until it has read what else the change touches. */
    news: async (event: Change) => {
      const heard = app.asked("inbox_list").length;
      await act(async () => app.tell(event));
      await waitFor(() => expect(app.asked("inbox_list").length).toBeGreaterThan(heard));
    },
    drag: () => userEvent.setup().click(screen.getByRole("button", { name: "Drag a" })),
    /** How often the content was read since. */
    readings: () => reads.map((name, at) => app.asked(name).length - (before[at] ?? 0)),
  };
}

const changed = (revision: number): Change => ({ change: "plan", plan: plan.id, revision });

test("a drag is one save, and the window that saved reads no plan", async () => {
  const { asked, drag, news, readings } = await open((saved) => saved);
  await drag();
  await screen.findByText("Plan: a at 70, saved");
  await news(changed(2));
  expect(asked("plan_save")).toHaveLength(1);
  expect(readings()).toEqual([0, 0]);
});

test("news of a save that comes before its answer is no reason to read either", async () => {
  let answer: () => void = () => undefined;
  const { asked, drag, news, readings } = await open(
    (saved) => new Promise((resolve) => (answer = () => resolve(saved))),
  );
  await drag();
  await waitFor(() => expect(asked("plan_save")).toHaveLength(1));
  await news(changed(2));
  answer();
  await screen.findByText("Plan: a at 70, saved");
  expect(asked("plan_save")).toHaveLength(1);
  expect(readings()).toEqual([0, 0]);
});

test("what another window saved comes in, also after a save of this one", async () => {
  const { drag, kept, news, readings } = await open((saved) => saved);
  await drag();
  await screen.findByText("Plan: a at 70, saved");
  await news(changed(2));
  kept.view = { ...kept.view, revision: 3, plan: { ...kept.view.plan, title: "Theirs" } };
  await news(changed(3));
  await screen.findByText("Theirs: a at 70, saved");
  expect(readings()[0]).toBe(1);
});

test("a change that no revision counts is read", async () => {
  const { news, readings } = await open((saved) => saved);
  await news({ change: "plan", plan: plan.id });
  await waitFor(() => expect(readings()[0]).toBe(1));
});

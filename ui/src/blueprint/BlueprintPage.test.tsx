import { act, configure, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Change, Plan, PlanSaved, PlanView } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { place } from "@/plan/edits";
import { planOf, runOf, savedOf, viewOf } from "@/plan/planFixture";
import { resetAppState } from "@/shell/appState";

// jsdom can't measure the real graph. This one makes the same edit as a drag.
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
// Saves are delayed, and pages load slowly on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

afterEach(resetAppState);

const plan = planOf(["a", "b"], ["a>b"]);
const reads = ["plan_get", "plan_version_get"] as const;

/** Opens a blueprint that has run, with a fake backend that stores saved plans. */
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
    /** Sends a change event, and waits until the window has reloaded what depends on it. */
    notify: async (event: Change) => {
      const count = app.asked("inbox_list").length;
      await act(async () => app.tell(event));
      await waitFor(() => expect(app.asked("inbox_list").length).toBeGreaterThan(count));
    },
    drag: () => userEvent.setup().click(screen.getByRole("button", { name: "Drag a" })),
    /** How often each plan operation was called since the page opened. */
    readings: () => reads.map((name, at) => app.asked(name).length - (before[at] ?? 0)),
  };
}

const changed = (revision: number): Change => ({ change: "plan", plan: plan.id, revision });

test("a drag is saved once, without reloading the plan", async () => {
  const { asked, drag, notify, readings } = await open((saved) => saved);
  await drag();
  await screen.findByText("Plan: a at 70, saved");
  await notify(changed(2));
  expect(asked("plan_save")).toHaveLength(1);
  expect(readings()).toEqual([0, 0]);
});

test("a change event that arrives before the response to the save reloads nothing", async () => {
  let answer: () => void = () => undefined;
  const { asked, drag, notify, readings } = await open(
    (saved) => new Promise((resolve) => (answer = () => resolve(saved))),
  );
  await drag();
  await waitFor(() => expect(asked("plan_save")).toHaveLength(1));
  await notify(changed(2));
  answer();
  await screen.findByText("Plan: a at 70, saved");
  expect(asked("plan_save")).toHaveLength(1);
  expect(readings()).toEqual([0, 0]);
});

test("changes from another window are loaded, even after a save here", async () => {
  const { drag, kept, notify, readings } = await open((saved) => saved);
  await drag();
  await screen.findByText("Plan: a at 70, saved");
  await notify(changed(2));
  kept.view = { ...kept.view, revision: 3, plan: { ...kept.view.plan, title: "Theirs" } };
  await notify(changed(3));
  await screen.findByText("Theirs: a at 70, saved");
  expect(readings()[0]).toBe(1);
});

test("a change without a revision reloads the plan", async () => {
  const { notify, readings } = await open((saved) => saved);
  await notify({ change: "plan", plan: plan.id });
  await waitFor(() => expect(readings()[0]).toBe(1));
});

test("a blueprint deleted elsewhere stays open with a banner until it is restored", async () => {
  const deleted = () => {
    throw new ApiError("deleted", "The plan was deleted.");
  };
  const gate: { refused: boolean } = { refused: false };
  const view = viewOf(plan);
  const answers = {
    inbox_list: () => [],
    requests_list: () => [],
    runs_list: () => [],
    plans_list: () => [],
    plan_get: (): PlanView => (gate.refused ? deleted() : view),
    plan_version_get: (): Plan => plan,
    plan_save: (): PlanSaved => (gate.refused ? deleted() : savedOf({ revision: 2 })),
    plan_restore: () => {
      gate.refused = false;
      return view;
    },
  };
  const { asked, tell } = renderApp(`/blueprints/${plan.id}`, answers);
  await screen.findByText("Plan: a at 0, saved", {}, { timeout: 20_000 });
  gate.refused = true;
  await act(async () => tell({ change: "plan_deleted", plan: plan.id }));
  await screen.findByText(/^Deleted in another window/);
  await userEvent.click(screen.getByRole("button", { name: "Drag a" }));
  await screen.findByText("Plan: a at 70, deleted");
  expect(asked("plan_save")).toEqual([]);

  await userEvent.click(screen.getByRole("button", { name: "Restore" }));
  await screen.findByText("Plan: a at 70, saved");
  expect(screen.queryByText(/^Deleted in another window/)).toBeNull();
  expect(asked("plan_save")).toHaveLength(1);
});

test("a deleted blueprint that is opened by its address offers to restore it", async () => {
  const gate = { deleted: true };
  const answers = {
    plan_get: (): PlanView => {
      if (gate.deleted) throw new ApiError("deleted", "The plan was deleted.");
      return viewOf(plan);
    },
    plan_restore: () => {
      gate.deleted = false;
      return viewOf(plan);
    },
  };
  renderApp(`/blueprints/${plan.id}`, answers);
  await screen.findByRole("heading", { name: "This blueprint was deleted" });
  await userEvent.click(screen.getByRole("button", { name: "Restore" }));
  await screen.findByText("Plan: a at 0, saved", {}, { timeout: 20_000 });
});

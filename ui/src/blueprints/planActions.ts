import type { Dispatch, SetStateAction } from "react";
import { ApiError } from "@/api/ApiError";
import type { Backend } from "@/api/Backend";
import type {
  Format,
  NodeStatus,
  PlanSummary,
  PlanView,
  Preflight,
  RunSummary,
} from "@/api/bindings";
import { lacksApproval } from "@/components/approvalText";
import { showToast } from "@/components/toasts";
import {
  type ChecksBeforeRun,
  isClearToRun,
  ranApproved,
  readChecksBeforeRun,
} from "@/plan/checksBeforeRun";
import { displayTitle } from "@/plan/nodeText";
import { showDeletedToast } from "@/plan/restorePlan";
import type { useEnrichmentChange } from "@/shell/enrichments";
import { paths } from "@/shell/paths";

/** The dialog that confirms an action. */
export type PlanConfirmation =
  | { kind: "delete"; plan: PlanSummary }
  | ({ kind: "run"; view: PlanView } & ChecksBeforeRun);

interface PlanActionContext {
  backend: Backend;
  navigate: (address: string) => unknown;
  ask: Dispatch<SetStateAction<PlanConfirmation | undefined>>;
  note: ReturnType<typeof useEnrichmentChange>;
}

/** Creates the actions on a blueprint in the list. A failed action shows a toast. */
export function createPlanActions({ backend, navigate, ask, note }: PlanActionContext) {
  async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      showToast({ kind: "error", title: failure, detail: ApiError.from(cause).message });
    }
  }

  async function begin(plan: string) {
    await backend.call("run_start", { plan, goal: { want: "all" }, limit: null });
    navigate(paths.blueprint(plan));
  }

  async function check(plan: string, mayStart: boolean) {
    const [view, checks] = await Promise.all([
      backend.call("plan_get", { plan }),
      readChecksBeforeRun(backend, plan, mayStart),
    ]);
    return { view, ...checks };
  }

  const archive = (plan: PlanSummary) =>
    attempt("Couldn't archive the blueprint", async () => {
      await backend.call("plan_archive", { plan: plan.id });
      offerUndo("Blueprint archived", plan, () => void unarchive(plan));
    });

  const unarchive = (plan: PlanSummary) =>
    attempt("Couldn't unarchive the blueprint", async () => {
      await backend.call("plan_unarchive", { plan: plan.id });
      offerUndo("Blueprint unarchived", plan, () => void archive(plan));
    });

  return {
    open: (plan: PlanSummary) => navigate(paths.blueprint(plan.id)),

    /** Opens the blueprint at the first node that is in this state in the last run. */
    openAt: ({ id, lastRun }: PlanSummary, state: NodeStatus) =>
      navigate(
        lastRun ? paths.blueprintInState(id, { run: lastRun.id, state }) : paths.blueprint(id),
      ),

    /**
     * Starts right away if the plan has run before, all checks pass, and nothing has changed since
     * the approval. Otherwise shows the checks.
     */
    run: (plan: PlanSummary) =>
      attempt("Couldn't start the run", async () => {
        const found = await check(plan.id, ranApproved(plan));
        if (isClearToRun(found.view, found)) await begin(plan.id);
        else ask({ kind: "run", ...found });
      }),

    /** Starts the run after the checks were shown, and approves the plan if needed. */
    confirmRun: (view: PlanView, preflight: Preflight) =>
      attempt("Couldn't start the run", async () => {
        const { plan, revision } = view;
        const input = { plan: plan.id, revision, anyway: false };
        if (lacksApproval(view, preflight)) await backend.call("plan_approve", input);
        ask(undefined);
        await begin(plan.id);
      }),

    /**
     * Shows the results of new checks. Starts nothing, even if all pass. Dropped if the question
     * about `view` was closed meanwhile: another may be open, for which a key is about to be
     * pressed.
     */
    checkAgain: (view: PlanView) =>
      attempt("Couldn't check the blueprint", async () => {
        const found = await check(view.plan.id, false);
        ask((open) =>
          open?.kind === "run" && open.view === view ? { kind: "run", ...found } : open,
        );
      }),

    resume: (run: RunSummary) =>
      attempt("Couldn't resume the run", async () => {
        await backend.call("run_resume", { run: run.id });
      }),

    duplicate: (plan: PlanSummary) =>
      attempt("Couldn't duplicate the blueprint", async () => {
        const copy = await backend.call("plan_duplicate", { plan: plan.id });
        showToast({
          kind: "info",
          title: "Blueprint duplicated",
          detail: displayTitle(copy.plan.title),
          action: { label: "Open", onAct: () => navigate(paths.blueprint(copy.plan.id)) },
        });
      }),

    exportAs: (plan: PlanSummary, format: Format) =>
      attempt("Couldn't export the blueprint", async () => {
        const file = await backend.call("plan_export", { plan: plan.id, format, version: null });
        const kinds = [{ name: "Baton blueprint", extensions: [format] }];
        const place = await backend.saveText({ name: file.fileName }, file.text, kinds);
        if (place) showToast({ kind: "info", title: "Blueprint exported", detail: place });
      }),

    star: (plan: PlanSummary, starred: boolean) => {
      void note("plan", plan.id, { starred });
      // A filtered list no longer shows the blueprint.
      if (!starred)
        offerUndo("Star removed", plan, () => void note("plan", plan.id, { starred: true }));
    },

    showRuns: (plan: PlanSummary) => navigate(paths.runsOf(plan.id)),

    archive,

    unarchive,

    askDelete: (plan: PlanSummary) => ask({ kind: "delete", plan }),

    remove: (plan: PlanSummary) =>
      attempt("Couldn't delete the blueprint", async () => {
        await backend.call("plan_delete", { plan: plan.id });
        ask(undefined);
        showDeletedToast(backend, plan);
      }),
  };
}

/** Says what was done to a blueprint, which may have left the list, and offers to undo it. */
function offerUndo(title: string, plan: PlanSummary, onAct: () => void): void {
  const detail = displayTitle(plan.title);
  showToast({ kind: "info", title, detail, action: { label: "Undo", onAct } });
}

export type PlanActions = ReturnType<typeof createPlanActions>;

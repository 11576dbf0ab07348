import type { Plan, PlanSaved, PlanView } from "@/api/bindings";
import { isDeepEqual } from "@/api/isDeepEqual";
import { conflictText } from "./conflictText";
import { rebasePlan } from "./rebasePlan";
import { withStructuralSharing } from "./structuralSharing";

/** How the working copy relates to the plan stored in the backend. */
export type SaveState = "saved" | "saving" | "conflict" | "invalid" | "offline" | "deleted";

/** What became of a deleted plan: it can be restored, or it is gone for good. */
export type PlanDeletion = "restorable" | "gone";

/** The state of autosave. `phase` is finer than what the page shows: see `saveStateOf`. */
export interface Autosave {
  phase: "rest" | "waiting" | "saving" | "conflict" | "invalid" | "offline" | "deleted";
  /** Set while `phase` is `deleted`. */
  deletion?: PlanDeletion | undefined;
  /** The backend's plan that the working copy is based on. */
  base: PlanView;
  plan: Plan;
  /** The plan being sent to the backend, while `phase` is `saving`. */
  sent: Plan | undefined;
  /**
   * The plan as changed elsewhere: the other side of a conflict, or an update that arrived while
   * saving.
   */
  theirs: PlanView | undefined;
  /** The backend's reason for rejecting a save, as shown to the user. */
  message: string | undefined;
  /**
   * Whether the backend's last answer was that the working copy is invalid. Stays set, with the
   * message, until an edited copy is accepted, so that what is wrong doesn't come and go.
   */
  rejected: boolean;
}

/** An event that the autosave reacts to. */
export type SaveEvent =
  | { kind: "edited"; plan: Plan }
  /** The wait after the last edit is over, or an immediate save was requested. */
  | { kind: "due" }
  | { kind: "accepted"; saved: PlanSaved }
  | { kind: "refused"; code: string; message: string }
  /** An update of the backend's plan that arrived without a request. */
  | { kind: "received"; view: PlanView }
  /** The other side of a conflict could not be read. */
  | { kind: "read_failed"; code: string; message: string }
  /** The page learned that the plan was deleted, before any save was refused. */
  | { kind: "deleted"; deletion: PlanDeletion }
  | { kind: "mine_kept" }
  | { kind: "theirs_taken" };

/** A side effect that the caller has to perform. */
export type SaveEffect =
  | { kind: "wait"; milliseconds: number }
  | { kind: "save"; plan: Plan; baseRevision: number }
  /** Check the plan for problems and the nodes that they belong to. */
  | { kind: "check"; plan: Plan }
  /** Read the backend's plan, which was changed elsewhere. */
  | { kind: "read" }
  /** The working copy now includes a change made elsewhere. */
  | { kind: "adopt"; plan: Plan }
  /** The user discards their own changes in favor of the backend's plan. */
  | { kind: "take"; plan: Plan };

export interface AutosaveTransition {
  next: Autosave;
  effects: SaveEffect[];
}

const editPause = 600;
const retryPause = 3_000;

export function createAutosave(view: PlanView): Autosave {
  return {
    phase: "rest",
    base: view,
    plan: view.plan,
    sent: undefined,
    theirs: undefined,
    message: undefined,
    rejected: false,
  };
}

export function saveStateOf({ phase, theirs }: Autosave): SaveState {
  switch (phase) {
    // Until the other side has been read, it's unclear whether the changes collide; mostly they
    // don't.
    case "conflict":
      return theirs ? "conflict" : "saving";
    case "rest":
      return "saved";
    case "waiting":
    case "saving":
      return "saving";
    default:
      return phase;
  }
}

/** What an error of a plan's operation says about its deletion; undefined for other errors. */
export function planDeletionOf(code: string): PlanDeletion | undefined {
  if (code === "deleted") return "restorable";
  return code === "not_found" ? "gone" : undefined;
}

/** The next state after an event, and the effects to perform. Has no clock and does no I/O. */
export function reduceAutosave(autosave: Autosave, event: SaveEvent): AutosaveTransition {
  switch (event.kind) {
    case "edited":
      return edited({ ...autosave, plan: event.plan });
    case "due":
      return autosave.phase === "waiting" || autosave.phase === "offline"
        ? save(autosave, autosave.base)
        : stay(autosave);
    case "accepted":
      return accepted(autosave, event.saved);
    case "refused":
      return refused(autosave, event.code, event.message);
    case "received":
      return received(autosave, event.view);
    case "read_failed":
      return readFailed(autosave, event.code, event.message);
    case "deleted":
      return deleted(autosave, event.deletion);
    case "mine_kept":
      return autosave.phase === "conflict" ? keepMine(autosave) : stay(autosave);
    case "theirs_taken":
      return autosave.phase === "conflict" && autosave.theirs
        ? adopt(autosave, autosave.theirs, "take")
        : stay(autosave);
  }
}

function stay(next: Autosave): AutosaveTransition {
  return { next, effects: [] };
}

function edited(autosave: Autosave): AutosaveTransition {
  // When the save returns, it compares the working copy with what it sent.
  // Nothing can be saved while the plan is deleted. Restoring it saves the edits.
  if (autosave.phase === "saving" || autosave.phase === "deleted") return stay(autosave);
  // An edit that undoes what collides resolves the conflict.
  if (autosave.phase === "conflict")
    return autosave.theirs ? joined(autosave, autosave.theirs) : stay(autosave);
  if (autosave.plan === autosave.base.plan)
    return stay({ ...autosave, phase: "rest", message: undefined, rejected: false });
  const message = autosave.rejected ? autosave.message : undefined;
  const next: Autosave = { ...autosave, phase: "waiting", message };
  return { next, effects: [{ kind: "wait", milliseconds: editPause }] };
}

function save(autosave: Autosave, base: PlanView): AutosaveTransition {
  const { plan } = autosave;
  const next: Autosave = { ...autosave, phase: "saving", base, sent: plan, theirs: undefined };
  return { next, effects: [{ kind: "save", plan, baseRevision: base.revision }] };
}

function accepted(autosave: Autosave, saved: PlanSaved): AutosaveTransition {
  if (autosave.phase !== "saving" || !autosave.sent) return stay(autosave);
  const { sent, theirs } = autosave;
  const isLater = theirs !== undefined && theirs.revision > saved.revision;
  // An update that arrived while saving may also carry other facts, such as the start of a run.
  const known = theirs && !isLater ? theirs : autosave.base;
  // Keep the working copy's objects so that nothing rerenders.
  const next: Autosave = {
    ...autosave,
    phase: "rest",
    base: { ...known, ...saved, plan: sent },
    sent: undefined,
    theirs: undefined,
    message: undefined,
    rejected: false,
  };
  const after = autosave.plan === sent ? stay(next) : edited(next);
  if (!isLater) return after;
  const late = received(after.next, theirs);
  return { next: late.next, effects: [...after.effects, ...late.effects] };
}

function refused(autosave: Autosave, code: string, message: string): AutosaveTransition {
  if (autosave.phase !== "saving") return stay(autosave);
  const next = { ...autosave, sent: undefined, message, rejected: false };
  const invalid: Autosave = { ...next, phase: "invalid", rejected: true };
  const deletion = planDeletionOf(code);
  if (deletion) return deleted(next, deletion);
  switch (code) {
    case "conflict": {
      const behind: Autosave = { ...next, phase: "conflict", theirs: undefined };
      return autosave.theirs
        ? joined(behind, autosave.theirs)
        : { next: behind, effects: [{ kind: "read" }] };
    }
    case "invalid":
    case "bad_input":
      // If the plan was edited in the meantime, it may be valid now: try again.
      if (autosave.plan !== autosave.sent) return edited(invalid);
      return { next: invalid, effects: [{ kind: "check", plan: next.plan }] };
    case "forbidden":
    case "waits_for_person":
      // A retry would get the same answer until a person acts.
      return stay(invalid);
    default:
      return {
        next: { ...next, phase: "offline" },
        effects: [{ kind: "wait", milliseconds: retryPause }],
      };
  }
}

/** Keeps the working copy, and saves nothing until the plan is restored. */
function deleted(autosave: Autosave, deletion: PlanDeletion): AutosaveTransition {
  return stay({
    ...autosave,
    phase: "deleted",
    deletion,
    sent: undefined,
    theirs: undefined,
    message: undefined,
    rejected: false,
  });
}

/** Retries the save; if the plan was changed elsewhere, that causes the conflict again. */
function readFailed(autosave: Autosave, code: string, message: string): AutosaveTransition {
  if (autosave.phase !== "conflict" || autosave.theirs) return stay(autosave);
  const deletion = planDeletionOf(code);
  if (deletion) return deleted(autosave, deletion);
  return {
    next: { ...autosave, phase: "offline", message },
    effects: [{ kind: "wait", milliseconds: retryPause }],
  };
}

function received(autosave: Autosave, view: PlanView): AutosaveTransition {
  const { base, phase } = autosave;
  if (phase === "saving") return stay({ ...autosave, theirs: view });
  if (view.revision < base.revision) return stay(autosave);
  if (phase === "deleted") return restored(autosave, view);
  if (phase === "conflict") {
    // Not saved elsewhere since: what collided before would collide again.
    const isNews = view.revision > base.revision;
    return isNews ? joined(autosave, view) : stay({ ...autosave, theirs: view });
  }
  // The plan is the same; only other facts changed, such as its approval or a started run.
  if (view.revision === base.revision || isDeepEqual(view.plan, base.plan)) {
    return stay({ ...autosave, base: { ...view, plan: base.plan } });
  }
  return joined(autosave, view);
}

/** Continues where the deletion interrupted: edits made since are saved. */
function restored(autosave: Autosave, view: PlanView): AutosaveTransition {
  const resumed = edited({ ...autosave, phase: "rest", deletion: undefined });
  const { next, effects } = received(resumed.next, view);
  return { next, effects: [...resumed.effects, ...effects] };
}

/**
 * Combines a change made elsewhere with the changes made here; a conflict where both changed the
 * same thing.
 */
function joined(autosave: Autosave, view: PlanView): AutosaveTransition {
  const { base, plan } = autosave;
  const theirs = { ...view, plan: withStructuralSharing(view.plan, base.plan) };
  if (plan === base.plan) return adopt(autosave, theirs, "adopt");
  const carried = rebasePlan(base.plan, plan, theirs.plan);
  if ("collides" in carried)
    return stay({
      ...autosave,
      phase: "conflict",
      theirs,
      message: conflictText(carried.collides),
      rejected: false,
    });
  return merged(theirs, carried.plan);
}

/** A working copy that includes `theirs` and waits to be saved. */
function merged(theirs: PlanView, plan: Plan): AutosaveTransition {
  const isTheirs = isDeepEqual(plan, theirs.plan);
  const copy = isTheirs ? theirs.plan : plan;
  const { next, effects } = edited({ ...createAutosave(theirs), plan: copy });
  return { next, effects: [{ kind: "adopt", plan: copy }, ...effects] };
}

/**
 * Resolves a conflict in favor of the working copy. Keeps everything else of theirs if the two can
 * be merged at all.
 */
function keepMine(autosave: Autosave): AutosaveTransition {
  const { base, plan, theirs } = autosave;
  if (!theirs) return save(autosave, base);
  const carried = rebasePlan(base.plan, plan, theirs.plan, "change_wins");
  const mine = "plan" in carried ? carried.plan : plan;
  const { next, effects } = save({ ...autosave, plan: mine }, theirs);
  return { next, effects: [{ kind: "adopt", plan: mine }, ...effects] };
}

function adopt(autosave: Autosave, view: PlanView, kind: "adopt" | "take"): AutosaveTransition {
  const theirs = { ...view, plan: withStructuralSharing(view.plan, autosave.plan) };
  return { next: createAutosave(theirs), effects: [{ kind, plan: theirs.plan }] };
}

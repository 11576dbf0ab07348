import type { Plan, PlanSaved, PlanView } from "@/api/bindings";
import { isDeepEqual } from "@/api/isDeepEqual";
import { conflictText } from "./conflictText";
import { rebasePlan } from "./rebasePlan";
import { withStructuralSharing } from "./structuralSharing";

/** How the working copy stands to what the backend keeps. */
export type SaveState = "saved" | "saving" | "conflict" | "invalid" | "offline";

/** What the autosave knows. `phase` is finer than what people see: see `saveStateOf`. */
export interface Autosave {
  phase: "rest" | "waiting" | "saving" | "conflict" | "invalid" | "offline";
  /** The backend's plan that the working copy was made from. */
  base: PlanView;
  /** The working copy. */
  plan: Plan;
  /** The plan on its way to the backend, while `phase` is `saving`. */
  sent: Plan | undefined;
  /** Somebody else's plan: the other side of a conflict, or news that came while saving. */
  theirs: PlanView | undefined;
  /** Why the backend refused, for the person. */
  message: string | undefined;
}

/** What happens to the autosave. */
export type SaveEvent =
  | { kind: "edited"; plan: Plan }
  /** The wait after the last edit is over, or somebody asks for the save now. */
  | { kind: "due" }
  | { kind: "accepted"; saved: PlanSaved }
  | { kind: "refused"; code: string; message: string }
  /** The backend's plan as it is now, without being asked for. */
  | { kind: "heard"; view: PlanView }
  /** The other side of a conflict could not be read. */
  | { kind: "unread"; message: string }
  | { kind: "mine_kept" }
  | { kind: "theirs_taken" };

/** What is to be done about it. */
export type SaveEffect =
  | { kind: "wait"; milliseconds: number }
  | { kind: "save"; plan: Plan; baseRevision: number }
  /** Ask which problems the plan has, each with its node. */
  | { kind: "check"; plan: Plan }
  /** Read the backend's plan: somebody else changed it. */
  | { kind: "read" }
  /** The working copy has somebody else's change in it now. */
  | { kind: "adopt"; plan: Plan }
  /** The person gives their own changes up for what the backend keeps. */
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
  };
}

export function saveStateOf({ phase, theirs }: Autosave): SaveState {
  switch (phase) {
    // What the other side is comes in a moment, and mostly fits.
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

/** What follows from one event. Keeps no clock and talks to nobody. */
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
    case "heard":
      return heard(autosave, event.view);
    case "unread":
      return unread(autosave, event.message);
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
  // A save on its way looks at the working copy when it comes back.
  if (autosave.phase === "saving") return stay(autosave);
  // A conflict waits for the person; whoever takes back what collides has ended it.
  if (autosave.phase === "conflict")
    return autosave.theirs ? joined(autosave, autosave.theirs) : stay(autosave);
  if (autosave.plan === autosave.base.plan)
    return stay({ ...autosave, phase: "rest", message: undefined });
  const next: Autosave = { ...autosave, phase: "waiting", message: undefined };
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
  // Of what was heard meanwhile, the rest still counts: a run began, say.
  const known = theirs && !isLater ? theirs : autosave.base;
  // The working copy keeps its objects, so that nothing on screen is drawn anew.
  const next: Autosave = {
    ...autosave,
    phase: "rest",
    base: { ...known, ...saved, plan: sent },
    sent: undefined,
    theirs: undefined,
    message: undefined,
  };
  const after = autosave.plan === sent ? stay(next) : edited(next);
  if (!isLater) return after;
  const late = heard(after.next, theirs);
  return { next: late.next, effects: [...after.effects, ...late.effects] };
}

function refused(autosave: Autosave, code: string, message: string): AutosaveTransition {
  if (autosave.phase !== "saving") return stay(autosave);
  const next = { ...autosave, sent: undefined, message };
  switch (code) {
    case "conflict": {
      const behind: Autosave = { ...next, phase: "conflict", theirs: undefined };
      return autosave.theirs
        ? joined(behind, autosave.theirs)
        : { next: behind, effects: [{ kind: "read" }] };
    }
    case "invalid":
    case "bad_input":
      // What was mended meanwhile deserves another try at once.
      if (autosave.plan !== autosave.sent) return edited({ ...next, phase: "invalid" });
      return { next: { ...next, phase: "invalid" }, effects: [{ kind: "check", plan: next.plan }] };
    case "forbidden":
    case "waits_for_person":
      // Asked again, the answer would be the same; a person has to do something first.
      return stay({ ...next, phase: "invalid" });
    default:
      return {
        next: { ...next, phase: "offline" },
        effects: [{ kind: "wait", milliseconds: retryPause }],
      };
  }
}

/** Tries the save again: if somebody else was first, that is found out anew. */
function unread(autosave: Autosave, message: string): AutosaveTransition {
  if (autosave.phase !== "conflict" || autosave.theirs) return stay(autosave);
  return {
    next: { ...autosave, phase: "offline", message },
    effects: [{ kind: "wait", milliseconds: retryPause }],
  };
}

function heard(autosave: Autosave, view: PlanView): AutosaveTransition {
  const { base, phase } = autosave;
  if (phase === "saving") return stay({ ...autosave, theirs: view });
  if (view.revision < base.revision) return stay(autosave);
  if (phase === "conflict") {
    // Nobody has saved since: what was refused on it once would be refused again.
    const isNews = view.revision > base.revision;
    return isNews ? joined(autosave, view) : stay({ ...autosave, theirs: view });
  }
  // The same content with other facts: approved, or a run began.
  if (view.revision === base.revision || isDeepEqual(view.plan, base.plan)) {
    return stay({ ...autosave, base: { ...view, plan: base.plan } });
  }
  return joined(autosave, view);
}

/** Somebody else's change with what was changed here; a conflict where both changed the same. */
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
    });
  return merged(theirs, carried.plan);
}

/** A working copy that has theirs in it, and waits to be saved. */
function merged(theirs: PlanView, plan: Plan): AutosaveTransition {
  const isTheirs = isDeepEqual(plan, theirs.plan);
  const copy = isTheirs ? theirs.plan : plan;
  const { next, effects } = edited({ ...createAutosave(theirs), plan: copy });
  return { next, effects: [{ kind: "adopt", plan: copy }, ...effects] };
}

/** Mine where both changed the same; everything else of theirs stays, if the two can be put together at all. */
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

import type { Plan, PlanView } from "@/api/bindings";

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
  | { kind: "accepted"; view: PlanView }
  | { kind: "refused"; code: string; message: string }
  /** The backend's plan as it is now, without being asked for. */
  | { kind: "heard"; view: PlanView }
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
  /** The working copy is replaced by what the backend keeps. */
  | { kind: "adopt"; plan: Plan };

export interface SaveStep {
  next: Autosave;
  effects: SaveEffect[];
}

const editPause = 600;
const retryPause = 3_000;

export function autosaveOf(view: PlanView): Autosave {
  return {
    phase: "rest",
    base: view,
    plan: view.plan,
    sent: undefined,
    theirs: undefined,
    message: undefined,
  };
}

export function saveStateOf({ phase }: Autosave): SaveState {
  switch (phase) {
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
export function saveStep(autosave: Autosave, event: SaveEvent): SaveStep {
  switch (event.kind) {
    case "edited":
      return edited({ ...autosave, plan: event.plan });
    case "due":
      return autosave.phase === "waiting" || autosave.phase === "offline"
        ? save(autosave, autosave.base)
        : stay(autosave);
    case "accepted":
      return accepted(autosave, event.view);
    case "refused":
      return refused(autosave, event.code, event.message);
    case "heard":
      return heard(autosave, event.view);
    case "mine_kept":
      return autosave.phase === "conflict"
        ? save(autosave, autosave.theirs ?? autosave.base)
        : stay(autosave);
    case "theirs_taken":
      return autosave.phase === "conflict" && autosave.theirs
        ? adopt(autosave, autosave.theirs)
        : stay(autosave);
  }
}

function stay(next: Autosave): SaveStep {
  return { next, effects: [] };
}

function edited(autosave: Autosave): SaveStep {
  // A save on its way looks at the working copy when it comes back; a conflict waits for the person.
  if (autosave.phase === "saving" || autosave.phase === "conflict") return stay(autosave);
  if (autosave.plan === autosave.base.plan)
    return stay({ ...autosave, phase: "rest", message: undefined });
  const next: Autosave = { ...autosave, phase: "waiting", message: undefined };
  return { next, effects: [{ kind: "wait", milliseconds: editPause }] };
}

function save(autosave: Autosave, base: PlanView): SaveStep {
  const { plan } = autosave;
  const next: Autosave = { ...autosave, phase: "saving", base, sent: plan, theirs: undefined };
  return { next, effects: [{ kind: "save", plan, baseRevision: base.revision }] };
}

function accepted(autosave: Autosave, view: PlanView): SaveStep {
  if (autosave.phase !== "saving" || !autosave.sent) return stay(autosave);
  const { sent, theirs } = autosave;
  // The working copy keeps its objects, so that nothing on screen is drawn anew.
  const next: Autosave = {
    ...autosave,
    phase: "rest",
    base: { ...view, plan: sent },
    sent: undefined,
    theirs: undefined,
    message: undefined,
  };
  const after = autosave.plan === sent ? stay(next) : edited(next);
  if (!theirs || theirs.revision <= view.revision) return after;
  const late = heard(after.next, theirs);
  return { next: late.next, effects: [...after.effects, ...late.effects] };
}

function refused(autosave: Autosave, code: string, message: string): SaveStep {
  if (autosave.phase !== "saving") return stay(autosave);
  const next = { ...autosave, sent: undefined, message };
  switch (code) {
    case "conflict":
      return { next: { ...next, phase: "conflict" }, effects: [{ kind: "read" }] };
    case "invalid":
    case "bad_input":
      // What was mended meanwhile deserves another try at once.
      if (autosave.plan !== autosave.sent) return edited({ ...next, phase: "invalid" });
      return { next: { ...next, phase: "invalid" }, effects: [{ kind: "check", plan: next.plan }] };
    default:
      return {
        next: { ...next, phase: "offline" },
        effects: [{ kind: "wait", milliseconds: retryPause }],
      };
  }
}

function heard(autosave: Autosave, view: PlanView): SaveStep {
  const { base, phase } = autosave;
  if (phase === "saving") return stay({ ...autosave, theirs: view });
  if (phase === "conflict") return stay({ ...autosave, theirs: view });
  if (view.revision < base.revision) return stay(autosave);
  // The same content with other facts: approved, or a run began.
  if (view.revision === base.revision || samePlan(view.plan, base.plan)) {
    return stay({ ...autosave, base: { ...view, plan: base.plan } });
  }
  if (autosave.plan === base.plan) return adopt(autosave, view);
  return stay({
    ...autosave,
    phase: "conflict",
    theirs: view,
    message: "This blueprint was changed elsewhere while you edited it.",
  });
}

function adopt(autosave: Autosave, view: PlanView): SaveStep {
  const next = { ...autosaveOf(view) };
  return samePlan(autosave.plan, view.plan)
    ? stay({ ...next, plan: autosave.plan, base: { ...view, plan: autosave.plan } })
    : { next, effects: [{ kind: "adopt", plan: view.plan }] };
}

// Both come from JSON with the keys in Rust's order, or were spread from such an object.
function samePlan(one: Plan, other: Plan): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

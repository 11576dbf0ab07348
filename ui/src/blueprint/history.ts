import type { Plan } from "@/api/bindings";

/** One step that can be taken back. */
interface Step {
  label: string;
  /** The plan before the step. */
  before: Plan;
}

/** A plan with the way back and the way forward. A value: every change makes a new one. */
export interface History {
  plan: Plan;
  past: readonly Step[];
  future: readonly Step[];
  /** What the latest step may still take in, see `record`. */
  open: { key: string; at: number } | undefined;
}

/** An afternoon of edits; the plans of its steps share what they have in common. */
const mostSteps = 500;
/** Keystrokes within this many milliseconds of each other are one step. */
const mergeSpan = 1_500;

export function historyOf(plan: Plan): History {
  return { plan, past: [], future: [], open: undefined };
}

/**
 * The history after one edit. Edits with the same `key` that follow each other within 1.5 seconds are one step.
 * A `plan` that is the present one changes nothing.
 */
export function record(
  history: History,
  label: string,
  plan: Plan,
  at: number,
  key?: string,
): History {
  if (plan === history.plan) return history;
  const { open } = history;
  const merges = key !== undefined && open?.key === key && at - open.at <= mergeSpan;
  const past = merges
    ? history.past
    : [...history.past, { label, before: history.plan }].slice(-mostSteps);
  return { plan, past, future: [], open: key === undefined ? undefined : { key, at } };
}

/** One step back; the same history when there is none. */
export function undone(history: History): History {
  const step = history.past.at(-1);
  if (!step) return history;
  return {
    plan: step.before,
    past: history.past.slice(0, -1),
    future: [...history.future, { label: step.label, before: history.plan }],
    open: undefined,
  };
}

/** One step forward again; the same history when there is none. */
export function redone(history: History): History {
  const step = history.future.at(-1);
  if (!step) return history;
  return {
    plan: step.before,
    past: [...history.past, { label: step.label, before: history.plan }],
    future: history.future.slice(0, -1),
    open: undefined,
  };
}

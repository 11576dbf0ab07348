import type { Plan } from "@/api/bindings";
import { carry } from "./carry";

/** One step that can be taken back. */
interface Step {
  label: string;
  /** The plan before the step. */
  from: Plan;
  /** The plan that the step made. Somebody else may have changed it since. */
  to: Plan;
}

/** A plan with the way back and the way forward. A value: every change makes a new one. */
export interface History {
  plan: Plan;
  past: readonly Step[];
  future: readonly Step[];
  /** What the latest step may still take in, see `record`. */
  open: { key: string; at: number } | undefined;
}

/** A step that went although nothing came of it: somebody else has changed the same since. */
export interface LostStep {
  label: string;
  /** What was changed, by name. */
  collides: readonly string[];
}

/** The history after a step back or forth. */
export interface Moved {
  history: History;
  lost?: LostStep;
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
  const { open, past: before } = history;
  const merges = key !== undefined && open?.key === key && at - open.at <= mergeSpan;
  const last = before.at(-1);
  const past =
    merges && last
      ? [...before.slice(0, -1), { ...last, to: plan }]
      : [...before, { label, from: history.plan, to: plan }].slice(-mostSteps);
  return { plan, past, future: [], open: key === undefined ? undefined : { key, at } };
}

/** The history after a change that somebody else made. It is no step: who undoes takes back what they did themselves. */
export function adopted(history: History, plan: Plan): History {
  return { ...history, plan, open: undefined };
}

/** One step back; the same history when there is none. What somebody else changed since stays. */
export function undone(history: History): Moved {
  const step = history.past.at(-1);
  if (!step) return { history };
  const left = { ...history, past: history.past.slice(0, -1), open: undefined };
  const carried = carry(step.to, step.from, history.plan);
  if ("collides" in carried) return { history: left, lost: { label: step.label, ...carried } };
  const { plan } = carried;
  return { history: { ...left, plan, future: [...history.future, step] } };
}

/** One step forward again; the same history when there is none. */
export function redone(history: History): Moved {
  const step = history.future.at(-1);
  if (!step) return { history };
  const left = { ...history, future: history.future.slice(0, -1), open: undefined };
  const carried = carry(step.from, step.to, history.plan);
  if ("collides" in carried) return { history: left, lost: { label: step.label, ...carried } };
  const { plan } = carried;
  return { history: { ...left, plan, past: [...history.past, step] } };
}

import type { Plan } from "@/api/bindings";
import { rebasePlan } from "./rebasePlan";

/** One step that can be taken back. */
interface HistoryStep {
  label: string;
  /** The plan before the step. */
  from: Plan;
  /** The plan that the step made. Somebody else may have changed it since. */
  to: Plan;
}

/** A plan with the way back and the way forward. A value: every change makes a new one. */
export interface History {
  plan: Plan;
  past: readonly HistoryStep[];
  future: readonly HistoryStep[];
  /** What the latest step may still take in, see `recordEdit`. */
  open: { key: string; at: number } | undefined;
}

/** A step that went although nothing came of it: somebody else has changed the same since. */
export interface SkippedStep {
  label: string;
  /** What was changed, by name. */
  collides: readonly string[];
}

/** The history after a step back or forth. */
export interface HistoryMove {
  history: History;
  lost?: SkippedStep;
}

/** An afternoon of edits; the plans of its steps share what they have in common. */
const maxSteps = 500;
/** Keystrokes within this many milliseconds of each other are one step. */
const mergeWindowMs = 1_500;

export function createHistory(plan: Plan): History {
  return { plan, past: [], future: [], open: undefined };
}

/**
 * The history after one edit. Edits with the same `key` that follow each other within 1.5 seconds are one step.
 * A `plan` that is the present one changes nothing.
 */
export function recordEdit(
  history: History,
  label: string,
  plan: Plan,
  at: number,
  key?: string,
): History {
  if (plan === history.plan) return history;
  const { open, past: before } = history;
  const merges = key !== undefined && open?.key === key && at - open.at <= mergeWindowMs;
  const last = before.at(-1);
  const past =
    merges && last
      ? [...before.slice(0, -1), { ...last, to: plan }]
      : [...before, { label, from: history.plan, to: plan }].slice(-maxSteps);
  return { plan, past, future: [], open: key === undefined ? undefined : { key, at } };
}

/** The history after a change that somebody else made. It is no step: who undoes takes back what they did themselves. */
export function applyExternalChange(history: History, plan: Plan): History {
  return { ...history, plan, open: undefined };
}

/** One step back; the same history when there is none. What somebody else changed since stays. */
export function undo(history: History): HistoryMove {
  const step = history.past.at(-1);
  if (!step) return { history };
  const left = { ...history, past: history.past.slice(0, -1), open: undefined };
  const carried = rebasePlan(step.to, step.from, history.plan);
  if ("collides" in carried) return { history: left, lost: { label: step.label, ...carried } };
  const { plan } = carried;
  return { history: { ...left, plan, future: [...history.future, step] } };
}

/** One step forward again; the same history when there is none. */
export function redo(history: History): HistoryMove {
  const step = history.future.at(-1);
  if (!step) return { history };
  const left = { ...history, future: history.future.slice(0, -1), open: undefined };
  const carried = rebasePlan(step.from, step.to, history.plan);
  if ("collides" in carried) return { history: left, lost: { label: step.label, ...carried } };
  const { plan } = carried;
  return { history: { ...left, plan, past: [...history.past, step] } };
}

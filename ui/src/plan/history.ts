import type { NodeId, Plan } from "@/api/bindings";
import { rebasePlan } from "./rebasePlan";

/** The selected nodes, and the keys of the selected edges. */
export interface Selected {
  selection: ReadonlySet<NodeId>;
  selectedEdges: ReadonlySet<string>;
}

/** One step that can be undone. */
interface HistoryStep {
  label: string;
  /** What was selected when the step was made; undone, it is selected again. */
  before: Selected;
  /** What was selected when the step was undone; redone, it is selected again. */
  after?: Selected;
  /** The plan before the step. */
  from: Plan;
  /** The plan after the step. It may have been changed elsewhere since. */
  to: Plan;
}

/** A plan with its undo and redo steps. Immutable: every change makes a new one. */
export interface History {
  plan: Plan;
  past: readonly HistoryStep[];
  future: readonly HistoryStep[];
  /** The latest step, if further edits may be merged into it; see `recordEdit`. */
  open: { key: string; at: number } | undefined;
}

/** A step that was skipped because the same thing was changed elsewhere. */
export interface SkippedStep {
  label: string;
  /** The names of what was changed. */
  collides: readonly string[];
}

/** The result of an undo or redo. */
export interface HistoryMove {
  history: History;
  lost?: SkippedStep;
  /** What to select now; undefined if nothing was undone or redone. */
  selected?: Selected | undefined;
}

/** Enough for an afternoon of edits. The plans of the steps share their unchanged parts. */
const maxSteps = 500;
/** Keystrokes within this time of each other are merged into one step. */
const mergeWindowMs = 1_500;

export function createHistory(plan: Plan): History {
  return { plan, past: [], future: [], open: undefined };
}

const nothingSelected: Selected = { selection: new Set(), selectedEdges: new Set() };

/**
 * The history after one edit, made while `selected` was selected. Edits with the same `key` within 1.5 seconds of each other are merged
 * into one step. If `plan` is the current plan, nothing changes.
 */
export function recordEdit(
  history: History,
  label: string,
  plan: Plan,
  at: number,
  key?: string,
  selected = nothingSelected,
): History {
  if (plan === history.plan) return history;
  const { open, past: before } = history;
  const merges = key !== undefined && open?.key === key && at - open.at <= mergeWindowMs;
  const last = before.at(-1);
  const past =
    merges && last
      ? [...before.slice(0, -1), { ...last, to: plan }]
      : [...before, { label, before: selected, from: history.plan, to: plan }].slice(-maxSteps);
  return { plan, past, future: [], open: key === undefined ? undefined : { key, at } };
}

/**
 * The history after a change made elsewhere. It is no undo step: undo only takes back this user's
 * changes.
 */
export function applyExternalChange(history: History, plan: Plan): History {
  return { ...history, plan, open: undefined };
}

/**
 * Undoes one step; the same history when there is none. Changes made elsewhere are kept. `selected`
 * is what is selected now, for the redo.
 */
export function undo(history: History, selected = nothingSelected): HistoryMove {
  const step = history.past.at(-1);
  if (!step) return { history };
  const left = { ...history, past: history.past.slice(0, -1), open: undefined };
  const carried = rebasePlan(step.to, step.from, history.plan);
  if ("collides" in carried) return { history: left, lost: { label: step.label, ...carried } };
  const { plan } = carried;
  const future = [...history.future, { ...step, after: selected }];
  return { history: { ...left, plan, future }, selected: step.before };
}

/** Redoes one step; the same history when there is none. */
export function redo(history: History): HistoryMove {
  const step = history.future.at(-1);
  if (!step) return { history };
  const left = { ...history, future: history.future.slice(0, -1), open: undefined };
  const carried = rebasePlan(step.from, step.to, history.plan);
  if ("collides" in carried) return { history: left, lost: { label: step.label, ...carried } };
  const { plan } = carried;
  return { history: { ...left, plan, past: [...history.past, step] }, selected: step.after };
}

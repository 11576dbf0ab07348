import type { AttemptCounts } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import type { NodeStateName } from "@/components/nodeState";

/** The outcomes of attempts in the order of the bar, with the color of a node state. */
export const attemptEnds: { end: keyof AttemptCounts; word: string; hue: NodeStateName }[] = [
  { end: "succeeded", word: "done", hue: "done" },
  { end: "failed", word: "failed", hue: "failed" },
  { end: "lost", word: "lost", hue: "interrupted" },
  { end: "cancelled", word: "canceled", hue: "skipped" },
  { end: "live", word: "running", hue: "running" },
];

export function totalAttempts(attempts: AttemptCounts): number {
  return attemptEnds.reduce((sum, { end }) => sum + attempts[end], 0);
}

/** Describes attempts: "12 attempts: 10 done, 2 failed". */
export function describeAttempts(attempts: AttemptCounts): string {
  const parts = attemptEnds
    .filter(({ end }) => attempts[end] > 0)
    .map(({ end, word }) => `${attempts[end]} ${word}`);
  return `${formatCount(totalAttempts(attempts), "attempt")}: ${parts.join(", ")}`;
}

import type { EdgeKind } from "./edits";

/** What an edge of a kind means, in the menu and in the inspector. */
export const edgeKindWords: Record<EdgeKind, string> = {
  hard: "Wait for the parent",
  soft: "Soft: hand on without waiting",
  true: "Only when the condition holds",
  false: "Only when it does not hold",
  success: "Go on here after success",
  failure: "Only after a failure",
};

import type { EdgeKind } from "./edits";

/** What an edge of a kind means, in the menu and in the inspector. */
export const edgeKindLabels: Record<EdgeKind, string> = {
  hard: "Wait for the parent",
  soft: "Soft: pass the handoff without waiting",
  true: "Only if the condition is true",
  false: "Only if the condition is false",
  success: "Continue here on success",
  failure: "Only on failure",
};

import type { EdgeKind } from "./edits";

/** What each kind of edge means, for the menu and the inspector. */
export const edgeKindLabels: Record<EdgeKind, string> = {
  hard: "Wait for the parent",
  soft: "Soft: pass the handoff without waiting",
  true: "Only if the condition is true",
  false: "Only if the condition is false",
  success: "Continue here on success",
  failure: "Only on failure",
};

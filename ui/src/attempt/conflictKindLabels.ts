import type { ConflictKind } from "@/api/bindings";

/** What is wrong with a file in conflict. */
export const conflictKindLabels: Record<ConflictKind, string> = {
  lines: "both changed the same lines",
  binary: "both changed it, and it is no text",
  deleted: "one changed it, the other deleted it",
  other: "moved or replaced",
};

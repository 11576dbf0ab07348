import type { ConflictKind } from "@/api/bindings";

/** Describes why a file is in conflict. */
export const conflictKindLabels: Record<ConflictKind, string> = {
  lines: "both changed the same lines",
  binary: "both changed this binary file",
  deleted: "one changed it, the other deleted it",
  other: "moved or replaced",
};

import type { ReactElement } from "react";
import { MergeDetail } from "./MergeDetail";
import { PermissionCall } from "./PermissionCall";
import type { PendingItem } from "./pendingItem";

/**
 * Details needed to answer, in addition to the question: conflicting files, or the exact tool call.
 */
export function PendingItemDetail({ item }: { item: PendingItem }): ReactElement | null {
  const { ask, session } = item;
  if (ask.kind === "merge") return <MergeDetail conflict={ask.conflict} />;
  if (ask.kind !== "permission" || session === null) return null;
  return <PermissionCall session={session} request={ask.request} />;
}

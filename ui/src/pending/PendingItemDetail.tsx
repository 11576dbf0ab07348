import type { ReactElement } from "react";
import { MergeDetail } from "./MergeDetail";
import { PermissionCall } from "./PermissionCall";
import type { PendingItem } from "./pendingItem";

/** What a person has to see before they answer, beside the question itself. */
export function PendingItemDetail({ item }: { item: PendingItem }): ReactElement | null {
  const { ask, session } = item;
  if (ask.kind === "merge") return <MergeDetail conflict={ask.conflict} />;
  if (ask.kind !== "permission" || session === null) return null;
  return <PermissionCall session={session} request={ask.request} />;
}

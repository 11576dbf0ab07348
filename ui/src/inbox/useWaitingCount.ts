import { useOperation } from "@/api/queries";
import { requestKey } from "@/pending/agentRequest";
import { inboxItemKey } from "@/pending/pendingItem";
import { useSnoozes } from "./useSnoozes";

/** Returns the number of Inbox items and agent requests, without snoozed ones. */
export function useWaitingCount(): number {
  const items = useOperation("inbox_list", {}).data;
  const requests = useOperation("requests_list", {}).data;
  const { isSnoozed } = useSnoozes();
  const keys = [...(items ?? []).map(inboxItemKey), ...(requests ?? []).map(requestKey)];
  return keys.filter((key) => !isSnoozed(key)).length;
}

import { useOperation } from "@/api/queries";

/** Returns the number of Inbox items and agent requests. */
export function useWaitingCount(): number {
  const items = useOperation("inbox_list", {}).data;
  const requests = useOperation("requests_list", {}).data;
  return (items?.length ?? 0) + (requests?.length ?? 0);
}

import { useOperation } from "@/api/queries";

/** How many things wait for the person: the items of the Inbox, and the requests of agents. */
export function useWaitingCount(): number {
  const items = useOperation("inbox_list", {}).data;
  const requests = useOperation("requests_list", {}).data;
  return (items?.length ?? 0) + (requests?.length ?? 0);
}

import { useMemo } from "react";
import { useOperation } from "@/api/queries";
import type { WaitingRuns } from "./filterAndSort";

const none: never[] = [];

/** The runs that go on in part only when a person answers something. */
export function useWaitingRuns(): WaitingRuns {
  const { data: items = none } = useOperation("inbox_list", {});
  const { data: requests = none } = useOperation("requests_list", {});
  return useMemo(
    () =>
      new Set([
        // A stalled run says so by its state.
        ...items.flatMap(({ run, ask }) => (ask.kind === "stalled" ? [] : run)),
        ...requests.flatMap(({ of }) => of?.run ?? []),
      ]),
    [items, requests],
  );
}

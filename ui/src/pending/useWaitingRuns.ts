import { useMemo } from "react";
import { useOperation } from "@/api/queries";

/** The ids of runs in which something waits for a person's answer. */
export type WaitingRuns = ReadonlySet<string>;

const none: never[] = [];

/** Returns the runs in which something waits for a person's answer. */
export function useWaitingRuns(): WaitingRuns {
  const { data: items = none } = useOperation("inbox_list", {});
  const { data: requests = none } = useOperation("requests_list", {});
  return useMemo(
    () =>
      new Set([
        // A stalled run is recognized by its state.
        ...items.flatMap(({ run, ask }) => (ask.kind === "stalled" ? [] : run)),
        ...requests.flatMap(({ of }) => of?.run ?? []),
      ]),
    [items, requests],
  );
}

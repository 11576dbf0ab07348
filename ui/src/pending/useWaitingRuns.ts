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
        // Stalled and failed runs are recognized by their state.
        ...items.flatMap(({ run, ask }) =>
          ask.kind === "stalled" || ask.kind === "handler_not_started" ? [] : run,
        ),
        ...requests.flatMap(({ of }) => of?.run ?? []),
      ]),
    [items, requests],
  );
}

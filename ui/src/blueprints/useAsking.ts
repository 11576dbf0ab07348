import { useMemo } from "react";
import { useOperation } from "@/api/queries";
import type { Asking } from "./listing";

/** The runs that go on in part only when a person answers something. */
export function useAsking(): Asking {
  const { data } = useOperation("inbox_list", {});
  return useMemo(
    // A stalled run says so by its state.
    () => new Set(data?.flatMap(({ run, ask }) => (ask.kind === "stalled" ? [] : run))),
    [data],
  );
}

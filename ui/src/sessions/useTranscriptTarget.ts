import { useMemo } from "react";
import { useOperation } from "@/api/queries";
import type { TimelineTarget } from "@/timeline/SessionTimeline";
import type { TimelineSource } from "@/timeline/timelineSource";

/** Finds the entry that the URL refers to by the byte offset of its record. */
export function useTranscriptTarget(
  id: string,
  address: URLSearchParams,
): { pending: boolean; place: TimelineTarget | undefined; source: TimelineSource } {
  const at = byteIn(address.get("at"));
  const text = address.get("find") ?? "";
  const found = useOperation(
    "transcript_timeline",
    { id, from: 0, limit: 1, since: null, at: at ?? null },
    { enabled: at !== undefined },
  );
  const seq = found.data?.entries[0]?.seq;
  return useMemo(
    () => ({
      pending: at !== undefined && found.isPending,
      // If the record is gone or loading fails, the timeline opens at the beginning.
      place: seq === undefined ? undefined : { seq, text },
      source: { kind: "transcript", transcript: id },
    }),
    [id, at, seq, text, found.isPending],
  );
}

function byteIn(word: string | null): number | undefined {
  const at = Number(word ?? Number.NaN);
  return Number.isSafeInteger(at) && at >= 0 ? at : undefined;
}

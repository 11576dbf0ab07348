import type { ReactElement } from "react";
import type { TranscriptRow } from "@/api/bindings";
import { SessionTimeline } from "@/timeline/SessionTimeline";
import { useTranscriptTarget } from "./useTranscriptTarget";

/** How long after its last record a session still counts as going on, so that it opens at its end. */
const fresh = 60_000;

export interface TranscriptTimelineProps {
  row: TranscriptRow;
  /** Names the place where it opens, if it names one. */
  address: URLSearchParams;
  /** Control+F anywhere in the window means this timeline. */
  ownsFind?: boolean;
}

/** What happened in a session of an agent's own history. */
export function TranscriptTimeline(props: TranscriptTimelineProps): ReactElement | null {
  const { row, address, ownsFind = false } = props;
  const landing = useTranscriptTarget(row.id, address);
  // Until the place is known, nothing is shown: jumping there afterwards would be restless.
  if (landing.pending) return null;
  const isFresh = row.endedAt !== null && Date.now() - row.endedAt < fresh;
  return (
    <SessionTimeline
      source={landing.source}
      startedAt={row.startedAt}
      follow={isFresh && landing.place === undefined}
      target={landing.place}
      ownsFind={ownsFind}
    />
  );
}

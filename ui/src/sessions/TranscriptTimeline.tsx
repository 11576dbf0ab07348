import type { ReactElement } from "react";
import type { TranscriptRow } from "@/api/bindings";
import { SessionTimeline } from "@/timeline/SessionTimeline";
import { useTranscriptTarget } from "./useTranscriptTarget";

/**
 * A session whose last record is younger than this counts as live and opens at its end. In
 * milliseconds.
 */
const fresh = 60_000;

export interface TranscriptTimelineProps {
  row: TranscriptRow;
  /** The search parameters, which may name the entry to open at. */
  address: URLSearchParams;
  /** Ctrl+F searches this timeline from anywhere in the window. */
  ownsFind?: boolean;
}

/** The timeline of a transcript from an agent's history. */
export function TranscriptTimeline(props: TranscriptTimelineProps): ReactElement | null {
  const { row, address, ownsFind = false } = props;
  const landing = useTranscriptTarget(row.id, address);
  // Render nothing until the target entry is known, to avoid a visible jump.
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

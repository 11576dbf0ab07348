import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useBackend } from "@/api/backendContext";
import type { TimelineHits } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { searchQuery, type TimelineSource } from "./timelineSource";

export interface TimelineSearchState {
  text: string;
  setText: (text: string) => void;
  /** Such as "3 of 37" or "No matches"; `undefined` without a search text. */
  status: string | undefined;
  hits: readonly number[];
  /** Returns the next hit after or before `from`, wrapping around at the ends. */
  hitFrom: (from: number | undefined, step: 1 | -1) => number | undefined;
}

const debounceMs = 200;
const maxHits = 1_000;

/**
 * Searches the whole session in the backend, initially for `first`. While the timeline is
 * `partial`, only the part read so far is searched; the search is repeated once everything is read.
 */
export function useTimelineSearch(
  source: TimelineSource,
  current: number | undefined,
  partial: boolean,
  first = "",
): TimelineSearchState {
  const backend = useBackend();
  const [text, setText] = useState(first);
  const [asked, setAsked] = useState(first.trim());

  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);

  const { queryKey, queryFn } = searchQuery(backend, source, asked, maxHits);
  const found = useQuery({
    queryKey: [...queryKey, { partial }],
    queryFn,
    enabled: asked !== "",
    placeholderData: keepPreviousData,
  });
  const hits = asked === "" ? [] : (found.data?.entries ?? []);

  return {
    text,
    setText,
    hits,
    status: text.trim() === "" ? undefined : searchStatus(found, hits, current),
    hitFrom: (from, step) => nextHit(hits, from, step),
  };
}

function searchStatus(
  found: { data?: Pick<TimelineHits, "more" | "reading"> | undefined; isError: boolean },
  hits: readonly number[],
  current: number | undefined,
): string {
  if (found.isError) return "Search failed";
  if (!found.data) return "Searching…";
  const soFar = found.data.reading ? " so far" : "";
  if (hits.length === 0) return `No matches${soFar}`;
  const at = current === undefined ? -1 : hits.indexOf(current);
  const many = `${formatNumber(hits.length)}${found.data.more ? "+" : ""}`;
  const words = at === -1 ? (many === "1" ? "1 entry" : `${many} entries`) : `${at + 1} of ${many}`;
  return `${words}${soFar}`;
}

/** Returns the hit after or before `from`, wrapping around at the ends. */
export function nextHit(
  hits: readonly number[],
  from: number | undefined,
  step: 1 | -1,
): number | undefined {
  if (from === undefined) return step === 1 ? hits[0] : hits.at(-1);
  return step === 1
    ? (hits.find((hit) => hit > from) ?? hits[0])
    : (hits.findLast((hit) => hit < from) ?? hits.at(-1));
}

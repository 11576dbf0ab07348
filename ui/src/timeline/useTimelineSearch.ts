import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useBackend } from "@/api/backendContext";
import type { TimelineHits } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { searchQuery, type TimelineSource } from "./timelineSource";

export interface TimelineSearchState {
  text: string;
  setText: (text: string) => void;
  /** "3 of 37", "No match"; `undefined` while nothing is looked for. */
  status: string | undefined;
  hits: readonly number[];
  /** The next hit after, or before, `from`; goes round at the ends. */
  hitFrom: (from: number | undefined, step: 1 | -1) => number | undefined;
}

const debounceMs = 200;
const maxHits = 1_000;

/**
 * Looks for a text in the whole session, from the first on for `first`; the backend searches, so nothing has to be loaded.
 * What is `partial` is searched as far as it was read, and once more when it was read to its end.
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
  if (!found.data) return "Searching";
  const soFar = found.data.reading ? " so far" : "";
  if (hits.length === 0) return `No match${soFar}`;
  const at = current === undefined ? -1 : hits.indexOf(current);
  const many = `${formatNumber(hits.length)}${found.data.more ? "+" : ""}`;
  const words = at === -1 ? (many === "1" ? "1 entry" : `${many} entries`) : `${at + 1} of ${many}`;
  return `${words}${soFar}`;
}

/** The hit after, or before, `from`; from an end on, the other end. */
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

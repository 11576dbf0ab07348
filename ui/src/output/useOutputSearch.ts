import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useBackend } from "@/api/backendContext";
import type { OutputHit, OutputPattern, SessionId } from "@/api/bindings";
import type { OutputReader } from "./OutputReader";
import { OutputSearchRun, type SearchProgress } from "./OutputSearchRun";
import { adjacentHit, hitIndex, searchStatus, startOfRow } from "./searchHits";

/** What is searched for. */
interface OutputQuery {
  text: string;
  caseSensitive: boolean;
  isRegex: boolean;
}

/** The search of an output view. */
export interface OutputSearchState {
  query: OutputQuery;
  change: (change: Partial<OutputQuery>) => void;
  hits: readonly OutputHit[];
  current: OutputHit | undefined;
  /** "3 of 1,204"; empty without a search. */
  status: string;
  /** Why the search failed, for example an invalid expression. */
  error: string | undefined;
  /** Goes to the next or the previous match. */
  go: (step: 1 | -1) => void;
}

const emptyQuery: OutputQuery = { text: "", caseSensitive: false, isRegex: false };
const nothing: SearchProgress = { hits: [], done: false, more: false, error: undefined };

/** A search doesn't start with every key, in milliseconds. */
const typingDelayMs = 80;

/** Searches the output while a text is entered, and goes to the first match below the upper edge. */
export function useOutputSearch(
  session: SessionId,
  reader: OutputReader,
  size: number,
  onLand: (row: number) => void,
): OutputSearchState {
  const backend = useBackend();
  const [query, setQuery] = useState(emptyQuery);
  const [progress, setProgress] = useState(nothing);
  const [current, setCurrent] = useState<OutputHit>();
  const run = useRef<OutputSearchRun>(undefined);
  const { text, caseSensitive, isRegex } = query;

  const land = useEffectEvent((hit: OutputHit | undefined) => goTo(hit));

  useEffect(() => {
    setCurrent(undefined);
    setProgress(nothing);
    if (text === "") return;
    const pattern: OutputPattern = isRegex
      ? { kind: "regex", regex: text, caseSensitive }
      : { kind: "text", text, caseSensitive };
    const begin = reader.state().visible?.first ?? 0;
    let hasLanded = false;
    const searching = new OutputSearchRun(
      (from, limit) =>
        backend.call("output_search", { session, pattern, from, backwards: false, limit }),
      begin,
      () => {
        setProgress(searching.progress);
        const { hits } = searching.progress;
        if (!hasLanded && hits.length > 0) land(adjacentHit(hits, startOfRow(begin), 1));
        hasLanded ||= hits.length > 0;
      },
    );
    run.current = searching;
    const timer = setTimeout(() => void searching.start(), typingDelayMs);
    return () => {
      clearTimeout(timer);
      searching.cancel();
      run.current = undefined;
    };
  }, [backend, session, reader, text, caseSensitive, isRegex]);

  const settled = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size is a reason to search on
  useEffect(() => {
    void run.current?.grow(settled.current);
    settled.current = reader.rows.settled;
  }, [size]);

  function goTo(hit: OutputHit | undefined) {
    if (!hit) return;
    setCurrent(hit);
    onLand(hit.row);
    void reader.toPosition(hit.row, "nearest");
  }

  return {
    query,
    change: (change) => setQuery((before) => ({ ...before, ...change })),
    hits: progress.hits,
    current,
    status: text === "" ? "" : searchStatus(progress, hitIndex(progress.hits, current)),
    error: progress.error?.message,
    go: (step) => {
      const from = current ?? startOfRow(reader.state().visible?.first ?? 0);
      goTo(adjacentHit(progress.hits, from, step));
    },
  };
}

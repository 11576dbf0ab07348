import type { Backend, BackendEvent } from "@/api/Backend";
import type { SessionId, TimelineEntry, TimelineHits } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import type { ReadRange } from "./SessionFeed";

/**
 * What the timeline shows: a node's session, or a transcript from an agent's history. `ofEnd` is the
 * end of a long session, whose entries have numbers of their own until the rest is read.
 */
export type TimelineSource =
  | { kind: "session"; session: SessionId; ofEnd?: true }
  | { kind: "transcript"; transcript: string; ofEnd?: true };

/** Query options for a backend call. */
interface Reading<T> {
  queryKey: readonly unknown[];
  queryFn: () => Promise<T>;
}

/** Returns a unique id of the source. */
export function timelineSourceId(source: TimelineSource): string {
  const id = source.kind === "transcript" ? source.transcript : source.session;
  return source.ofEnd ? `${id} end` : id;
}

/** The agents whose histories only grow, so that their end can be read before the rest. */
const appendingAgents = ["claude", "codex", "pi"];

/**
 * Returns whether the end of a timeline can be shown while the rest is being read. Other agents may
 * replace any message later, and their end is there when all was read.
 */
export function hasOwnEnd(source: TimelineSource): boolean {
  if (source.kind === "session") return true;
  // The ID of a transcript starts with its agent.
  return appendingAgents.some((agent) => source.transcript.startsWith(`${agent}:`));
}

/** Returns a function that fetches ranges of the timeline. */
export function rangeReader(backend: Backend, source: TimelineSource): ReadRange {
  if (source.kind === "session") {
    const { kind: _, ...shown } = source;
    return (range) => backend.call("session_timeline", { ...shown, ...range });
  }
  const { kind: _, transcript: id, ...part } = source;
  return (range) => backend.call("transcript_timeline", { id, at: null, ...part, ...range });
}

/** Fetches one entry with its full texts, which pages truncate. */
export function fullEntryQuery(
  backend: Backend,
  source: TimelineSource,
  seq: number,
): Reading<TimelineEntry> {
  if (source.kind === "session") {
    const { kind: _, ...shown } = source;
    const input = { ...shown, seq };
    return {
      queryKey: operationKey("session_entry", input),
      queryFn: () => backend.call("session_entry", input),
    };
  }
  const { kind: _, transcript: id, ...part } = source;
  const input = { id, ...part, seq };
  return {
    queryKey: operationKey("transcript_entry", input),
    queryFn: () => backend.call("transcript_entry", input),
  };
}

/** Finds the entries that contain a text. */
export function searchQuery(
  backend: Backend,
  source: TimelineSource,
  text: string,
  limit: number,
): Reading<TimelineHits> {
  if (source.kind === "session") {
    const input = { session: source.session, text, limit };
    return {
      queryKey: operationKey("session_search", input),
      queryFn: () => backend.call("session_search", input),
    };
  }
  const input = { id: source.transcript, text, limit };
  return {
    queryKey: operationKey("transcript_find", input),
    queryFn: () => backend.call("transcript_find", input),
  };
}

/**
 * Returns whether an event means that the timeline has grown or must be reloaded, or `undefined`.
 */
export function timelineChangeFrom(
  source: TimelineSource,
  signal: BackendEvent,
): "lost" | "grown" | undefined {
  if (signal.kind === "gap" || signal.event.change === "all") return "lost";
  const { event } = signal;
  if (source.kind === "session") {
    return event.change === "session" && event.session === source.session ? "grown" : undefined;
  }
  if (event.change !== "transcripts") return undefined;
  const isMeant = event.ids.length === 0 || event.ids.includes(source.transcript);
  return isMeant ? "grown" : undefined;
}

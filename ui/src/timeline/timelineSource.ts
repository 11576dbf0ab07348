import type { Backend, BackendEvent } from "@/api/Backend";
import type { SessionId, TimelineEntry, TimelineHits } from "@/api/bindings";
import { operationKey } from "@/api/queries";
import type { ReadRange } from "./SessionFeed";

/** Whose timeline: a session of a node, or a transcript of an agent's own history by its id. */
export type TimelineSource =
  | { kind: "session"; session: SessionId }
  | { kind: "transcript"; transcript: string };

/** A reading of the backend with the key it is cached under. */
interface Reading<T> {
  queryKey: readonly unknown[];
  queryFn: () => Promise<T>;
}

/** The source by a name that no other source has. */
export function timelineSourceId(source: TimelineSource): string {
  return source.kind === "session" ? source.session : source.transcript;
}

/** How pages of the timeline are read. */
export function rangeReader(backend: Backend, source: TimelineSource): ReadRange {
  if (source.kind === "session") {
    const { session } = source;
    return (range) => backend.call("session_timeline", { session, ...range });
  }
  const id = source.transcript;
  return (range) => backend.call("transcript_timeline", { id, at: null, ...range });
}

/** One entry with texts that a page leaves out. */
export function fullEntryQuery(
  backend: Backend,
  source: TimelineSource,
  seq: number,
): Reading<TimelineEntry> {
  if (source.kind === "session") {
    const input = { session: source.session, seq };
    return {
      queryKey: operationKey("session_entry", input),
      queryFn: () => backend.call("session_entry", input),
    };
  }
  const input = { id: source.transcript, seq };
  return {
    queryKey: operationKey("transcript_entry", input),
    queryFn: () => backend.call("transcript_entry", input),
  };
}

/** The entries that hold a text. */
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

/** What a signal means for a timeline: it may be altogether another, it has grown, or nothing. */
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

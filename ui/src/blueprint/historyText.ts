import type { Event, HistoryRow, NodeId } from "@/api/bindings";
import type { NodeStateName } from "@/components/nodeState";
import { toSentence } from "@/components/toSentence";

/** Returns the sentence of an event on one line. */
export function historySentence({ sentence }: Pick<HistoryRow, "sentence">): string {
  return toSentence(sentence.replace(/\s+/g, " ").trim());
}

/** Returns how many lines an event takes: its sentence, and one per detail. */
export function historyLineCount({ details }: Pick<HistoryRow, "details">): number {
  return 1 + (details?.length ?? 0);
}

/** Returns the nodes that an event is about; empty if it is about the run. */
export function eventNodes(event: Event): readonly NodeId[] {
  if ("node" in event) return [event.node];
  return "nodes" in event ? event.nodes : [];
}

/** Returns the state that an event led to, if it gets a mark. Most events get none. */
export function eventState(event: Event): NodeStateName | undefined {
  switch (event.event) {
    case "completed":
    case "node_marked_done":
    case "node_inherited":
      return "done";
    case "failed":
    case "time_up":
      return "failed";
    case "stalled":
    case "cancelled":
      return "interrupted";
    case "node_asked":
      return "waiting";
    case "node_skipped":
      return "skipped";
    case "node_ended":
      return outcomes[event.outcome.kind];
    default:
      return undefined;
  }
}

const outcomes = {
  succeeded: "done",
  failed: "failed",
  cancelled: "interrupted",
  lost: "interrupted",
  tampered: "interrupted",
} as const;

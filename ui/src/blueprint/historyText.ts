import type { Event, HistoryRow, NodeId } from "@/api/bindings";
import type { NodeStateName } from "@/components/nodeState";
import { toSentence } from "@/components/toSentence";

/** What happened, as a sentence on one line. */
export function historySentence({ sentence }: Pick<HistoryRow, "sentence">): string {
  return toSentence(sentence.replace(/\s+/g, " ").trim());
}

/** How many lines an event takes: its sentence, and what else there is to say of it. */
export function historyLineCount({ details }: Pick<HistoryRow, "details">): number {
  return 1 + (details?.length ?? 0);
}

/** The nodes that an event is about; none when it is about the run. */
export function eventNodes(event: Event): readonly NodeId[] {
  if ("node" in event) return [event.node];
  return "nodes" in event ? event.nodes : [];
}

/** The state that an event led to, where that is worth a mark; most are not. */
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

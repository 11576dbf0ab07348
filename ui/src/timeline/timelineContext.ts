import { createContext, type Dispatch, useContext } from "react";
import type {
  NodeId,
  RequestedToolCall,
  RunId,
  TimelineEntry,
  UnlistedToolCall,
} from "@/api/bindings";
import { isOpenByDefault } from "./entryFilters";
import type { TimelineSource } from "./timelineSource";
import type { TimelineAction, TimelineView } from "./timelineView";

/** A question that a session has put to a person and that is still open. */
export interface OpenQuestion {
  run: RunId;
  node: NodeId;
  question: string;
  request: string;
  /** The call that it is about. */
  call: RequestedToolCall | null;
}

/** What the entries of one timeline share. */
export interface TimelineContextValue {
  source: TimelineSource;
  /** When the session began, in milliseconds since 1970; times are told from there. */
  startedAt: number | undefined;
  question: OpenQuestion | undefined;
  /** The calls of this session that its node's list of tools does not name. */
  outside: readonly UnlistedToolCall[];
  view: TimelineView;
  dispatch: Dispatch<TimelineAction>;
}

export const TimelineContext = createContext<TimelineContextValue | undefined>(undefined);

export function useTimelineContext(): TimelineContextValue {
  const surroundings = useContext(TimelineContext);
  if (!surroundings) throw new Error("no TimelineContext above this entry");
  return surroundings;
}

/** Whether `entry` shows its inside, and the act that turns it over. */
export function useExpanded(entry: TimelineEntry): { open: boolean; toggle: () => void } {
  const { view, dispatch } = useTimelineContext();
  const open = view.opened.get(entry.seq) ?? isOpenByDefault(entry);
  return { open, toggle: () => dispatch({ act: "open", seq: entry.seq, open: !open }) };
}

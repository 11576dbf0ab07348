import { createContext, type Dispatch, useContext } from "react";
import type {
  NodeId,
  RequestedToolCall,
  RunId,
  TimelineEntry,
  UnlistedToolCall,
} from "@/api/bindings";
import type { FilePlace } from "@/attempt/filePlace";
import { isOpenByDefault } from "./entryFilters";
import type { TimelineSource } from "./timelineSource";
import type { TimelineAction, TimelineView } from "./timelineView";

/** An open permission request of a session. */
export interface OpenQuestion {
  run: RunId;
  node: NodeId;
  question: string;
  request: string;
  /** The tool call it asks for. */
  call: RequestedToolCall | null;
}

/** The state that all entries of one timeline share. */
export interface TimelineContextValue {
  source: TimelineSource;
  /** Start of the session in milliseconds since 1970. Entries show their time relative to it. */
  startedAt: number | undefined;
  question: OpenQuestion | undefined;
  /** The directory of the session. Paths below it are shown relative to it. */
  directory?: string | undefined;
  /** Opens a file of the session; missing where its files can't be reached. */
  openPath?: ((place: FilePlace) => void) | undefined;
  /** The tool calls of this session that are not in its node's list of tools. */
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

/** Returns whether `entry` is expanded, and a function that toggles it. */
export function useExpanded(entry: TimelineEntry): { open: boolean; toggle: () => void } {
  const { view, dispatch } = useTimelineContext();
  const open = view.opened.get(entry.seq) ?? isOpenByDefault(entry);
  return { open, toggle: () => dispatch({ act: "open", seq: entry.seq, open: !open }) };
}

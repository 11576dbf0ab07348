import { createContext, type Dispatch, useContext } from "react";
import type { AskedCall, NodeId, OutsideCall, RunId, TimelineEntry } from "@/api/bindings";
import { opensItself } from "./entryFacts";
import type { TimelineSource } from "./source";
import type { TimelineAct, TimelineView } from "./timelineView";

/** A question that a session has put to a person and that is still open. */
export interface OpenQuestion {
  run: RunId;
  node: NodeId;
  question: string;
  request: string;
  /** The call that it is about. */
  call: AskedCall | null;
}

/** What the entries of one timeline share. */
export interface TimelineSurroundings {
  source: TimelineSource;
  /** When the session began, in milliseconds since 1970; times are told from there. */
  startedAt: number | undefined;
  question: OpenQuestion | undefined;
  /** The calls of this session that its node's list of tools does not name. */
  outside: readonly OutsideCall[];
  view: TimelineView;
  dispatch: Dispatch<TimelineAct>;
}

export const TimelineContext = createContext<TimelineSurroundings | undefined>(undefined);

export function useSurroundings(): TimelineSurroundings {
  const surroundings = useContext(TimelineContext);
  if (!surroundings) throw new Error("no TimelineContext above this entry");
  return surroundings;
}

/** Whether `entry` shows its inside, and the act that turns it over. */
export function useOpened(entry: TimelineEntry): { open: boolean; toggle: () => void } {
  const { view, dispatch } = useSurroundings();
  const open = view.opened.get(entry.seq) ?? opensItself(entry);
  return { open, toggle: () => dispatch({ act: "open", seq: entry.seq, open: !open }) };
}

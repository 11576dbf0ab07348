import { createContext, useContext } from "react";
import type { WaitingRuns } from "@/pending/useWaitingRuns";
import type { PlanActions } from "./planActions";

/** What every row of the list needs besides its blueprint. */
export interface ListContextValue {
  actions: PlanActions;
  waitingRuns: WaitingRuns;
  /** IDs of starred plans. */
  starred: ReadonlySet<string>;
  /** The ID of the plan that was opened last. */
  lastOpened: string | undefined;
  /** The home directory, to shorten paths. */
  home: string | undefined;
}

export const ListContext = createContext<ListContextValue | undefined>(undefined);

export function useListContext(): ListContextValue {
  const list = useContext(ListContext);
  if (!list) throw new Error("no ListContext above this component");
  return list;
}

import { createContext, useContext } from "react";
import type { WaitingRuns } from "./filterAndSort";
import type { PlanActions } from "./planActions";

/** What every row of the list needs beside its blueprint. */
export interface ListContextValue {
  actions: PlanActions;
  waitingRuns: WaitingRuns;
  /** Plans that the person starred. */
  starred: ReadonlySet<string>;
  /** The plan that the person looked at last. */
  lastOpened: string | undefined;
  /** The person's home, for short paths. */
  home: string | undefined;
}

export const ListContext = createContext<ListContextValue | undefined>(undefined);

export function useListContext(): ListContextValue {
  const list = useContext(ListContext);
  if (!list) throw new Error("no ListContext above this component");
  return list;
}

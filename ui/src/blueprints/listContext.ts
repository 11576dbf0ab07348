import { createContext, useContext } from "react";
import type { Asking } from "./listing";
import type { PlanActs } from "./planActs";

/** What every row of the list needs beside its blueprint. */
export interface ListSurroundings {
  acts: PlanActs;
  asking: Asking;
  /** Plans that the person starred. */
  starred: ReadonlySet<string>;
  /** The plan that the person looked at last. */
  lastOpened: string | undefined;
  /** The person's home, for short paths. */
  home: string | undefined;
}

export const ListContext = createContext<ListSurroundings | undefined>(undefined);

export function useList(): ListSurroundings {
  const list = useContext(ListContext);
  if (!list) throw new Error("no ListContext above this component");
  return list;
}

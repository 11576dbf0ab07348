import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { EditActions } from "./editActions";
import type { Editor } from "./editor";
import type { OpenSubPlan } from "./openSubPlan";
import type { Page, PageState } from "./page";
import type { RunActions } from "./runActions";

/** What every part of the blueprint page works with. */
export interface Blueprint {
  editor: Editor;
  page: Page;
  edit: EditActions;
  runs: RunActions;
  /** Goes to the blueprint, or its run, that a node of this one stands for. */
  open: OpenSubPlan;
}

export const BlueprintContext = createContext<Blueprint | undefined>(undefined);

export function useBlueprint(): Blueprint {
  const blueprint = useContext(BlueprintContext);
  if (!blueprint) throw new Error("no BlueprintContext above this component");
  return blueprint;
}

/** A part of what the page shows. */
export function usePage<Part>(select: (state: PageState) => Part): Part {
  return useStore(useBlueprint().page, select);
}

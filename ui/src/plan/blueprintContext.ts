import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { EditActions } from "./editActions";
import type { Editor } from "./editor";
import type { OpenSubPlan } from "./openSubPlan";
import type { Page, PageState } from "./page";
import type { RunActions } from "./runActions";

/** What all parts of the blueprint page share. */
export interface Blueprint {
  editor: Editor;
  page: Page;
  edit: EditActions;
  runs: RunActions;
  /** Opens the blueprint, or its run, that a sub-plan node refers to. */
  open: OpenSubPlan;
}

export const BlueprintContext = createContext<Blueprint | undefined>(undefined);

export function useBlueprint(): Blueprint {
  const blueprint = useContext(BlueprintContext);
  if (!blueprint) throw new Error("no BlueprintContext above this component");
  return blueprint;
}

/** Subscribes to a part of the page state. */
export function usePage<Part>(select: (state: PageState) => Part): Part {
  return useStore(useBlueprint().page, select);
}

import { create } from "zustand";

export type InspectorTab = "task" | "handoff" | "attempts";

interface InspectorTabState {
  tab: InspectorTab;
  open: (tab: InspectorTab) => void;
}

/** The tab of the inspector in this window; it stays when another node is selected. */
export const useInspectorTab = create<InspectorTabState>((set) => ({
  tab: "task",
  open: (tab) => set({ tab }),
}));

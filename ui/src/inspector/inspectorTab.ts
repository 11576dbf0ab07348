import { create } from "zustand";

export type InspectorTab = "task" | "handoff" | "attempts";

interface InspectorTabState {
  tab: InspectorTab;
  open: (tab: InspectorTab) => void;
}

/** The inspector tab of this window. It is kept when the selection changes. */
export const useInspectorTab = create<InspectorTabState>((set) => ({
  tab: "task",
  open: (tab) => set({ tab }),
}));

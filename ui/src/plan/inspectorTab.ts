import { useEffect, useState } from "react";
import { create } from "zustand";

export type InspectorTab = "task" | "handoff" | "attempts";

interface InspectorTabState {
  tab: InspectorTab;
  open: (tab: InspectorTab) => void;
}

/**
 * The inspector tab of this window for nodes that ran, which show what happened until a person
 * chooses another tab. It is kept when the selection changes.
 */
export const useInspectorTab = create<InspectorTabState>((set) => ({
  tab: "attempts",
  open: (tab) => set({ tab }),
}));

/**
 * The tab of one node. Before a node ran there is only its task to see, and it stays on that tab
 * when it starts, because a person may be typing there.
 */
export function useNodeTab(hasRun: boolean): [InspectorTab, (tab: InspectorTab) => void] {
  const { tab, open } = useInspectorTab();
  const [own, setOwn] = useState<InspectorTab | undefined>(hasRun ? undefined : "task");
  // Also when another part of the page opens a tab.
  useEffect(() => useInspectorTab.subscribe(() => setOwn(undefined)), []);
  return [own ?? tab, hasRun ? open : setOwn];
}

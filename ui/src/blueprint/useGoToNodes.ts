import { useCallback } from "react";
import type { NodeId } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { useBlueprint } from "@/plan/blueprintContext";

/** Selects the nodes of an event, and shows the timeline if there is only one. */
export function useGoToNodes(): (nodes: readonly NodeId[]) => void {
  const { editor, page } = useBlueprint();
  return useCallback(
    (nodes) => {
      if (nodes.length === 0) return;
      const known = new Set(editor.getState().plan.nodes.map(({ id }) => id));
      const here = nodes.filter((id) => known.has(id));
      const [first] = here;
      if (first === undefined) {
        showToast({
          kind: "info",
          title: "This node is no longer in the blueprint",
          detail: "It was deleted after this run started.",
        });
        return;
      }
      editor.getState().select(here);
      if (here.length === 1) page.setState({ drawerTab: "timeline" });
      page.getState().canvas?.show(first);
    },
    [editor, page],
  );
}

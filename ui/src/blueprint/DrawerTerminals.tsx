import { type ReactElement, useCallback } from "react";
import type { Node, NodeId } from "@/api/bindings";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { TerminalPanel } from "@/terminal/TerminalPanel";
import { workPlaceOf } from "./workPlace";

/** The terminals of the blueprint, in the drawer. */
export function DrawerTerminals({
  node,
  headPlace,
}: {
  /** The selected node. */
  node: Node | undefined;
  headPlace: HTMLElement | null;
}): ReactElement {
  const { page, editor } = useBlueprint();
  const request = usePage((state) => state.terminalRequest);
  const plan = useEditor((state) => state.plan.id);
  const run = useEditor((state) => state.run?.summary.id);
  const place = node && workPlaceOf(node, run).place;
  const titleOf = useCallback(
    (id: NodeId) => {
      const found = editor.getState().plan.nodes.find((candidate) => candidate.id === id);
      return found && displayTitle(found.title);
    },
    [editor],
  );
  const takeRequest = useCallback(() => page.setState({ terminalRequest: undefined }), [page]);
  return (
    <TerminalPanel
      {...{ plan, request, titleOf, headPlace }}
      node={place && node && { place, title: displayTitle(node.title) }}
      onRequestTaken={takeRequest}
      onLeave={focusDrawerTab}
    />
  );
}

/** The tab of the drawer is the nearest part of the page that takes no keys away. */
function focusDrawerTab(): void {
  document.querySelector<HTMLElement>("[data-drawer] [role=tab][aria-selected=true]")?.focus();
}

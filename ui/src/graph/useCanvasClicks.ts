import type { MouseEvent } from "react";
import type { Position } from "@/api/bindings";
import { useBlueprint } from "@/plan/blueprintContext";
import { nodeAt, type Scene } from "./scene";
import type { CardNode } from "./toFlow";

/** Handles clicks on cards, on painted nodes and on the empty canvas. */
export function useCanvasClicks(
  scene: Scene,
  overview: boolean,
  toPlan: (screen: Position) => Position,
) {
  const { editor, edit, page, open } = useBlueprint();
  const drawnUnder = ({ clientX: x, clientY: y }: MouseEvent) =>
    overview ? nodeAt(scene, toPlan({ x, y })) : undefined;

  /** Reports whether an earlier moment of a run is shown, which can't be edited. */
  const past = () => editor.getState().run?.past !== undefined;

  return {
    /**
     * A click on one of several selected nodes selects only that one. Dragging all of them produces
     * no click.
     */
    onNodeClick: ({ shiftKey, ctrlKey, metaKey }: MouseEvent, node: CardNode) => {
      const several = editor.getState().selection.size > 1;
      if (!several || shiftKey || ctrlKey || metaKey || node.type === "fold") return;
      editor.getState().select([node.id]);
    },
    onNodeDoubleClick: (_: unknown, node: CardNode) => {
      if (node.type === "fold") edit.setCollapsed([node.id], false);
      else if (past()) return;
      else if (node.type === "note") edit.startWriting(node.id);
      else if (node.data.opens) void open(node.id);
      else edit.startRename(node.id);
    },
    onDoubleClick: (event: MouseEvent) => {
      const under = drawnUnder(event);
      if (under) return page.getState().canvas?.show(under);
      if (past() || !(event.target as Element).classList.contains("react-flow__pane")) return;
      const screen = { x: event.clientX, y: event.clientY };
      edit.pick({ screen, at: toPlan(screen) });
    },
    onPaneClick: (event: MouseEvent) => {
      // Select the painted node under the pointer, or nothing: the selection may include nodes
      // unknown to React Flow.
      const under = drawnUnder(event);
      editor.getState().select(under ? [under] : []);
    },
  };
}

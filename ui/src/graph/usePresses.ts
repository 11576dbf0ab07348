import type { MouseEvent } from "react";
import type { Position } from "@/api/bindings";
import { useBlueprint } from "@/blueprint/blueprintContext";
import { nodeAt, type Scene } from "./scene";
import type { CardNode } from "./toFlow";

/** What presses on the canvas mean: on a card, on what is only drawn, and on nothing. */
export function usePresses(scene: Scene, far: boolean, toPlan: (screen: Position) => Position) {
  const { editor, edit, page, open } = useBlueprint();
  const drawnUnder = ({ clientX: x, clientY: y }: MouseEvent) =>
    far ? nodeAt(scene, toPlan({ x, y })) : undefined;

  return {
    onNodeDoubleClick: (_: unknown, node: CardNode) => {
      if (node.type === "fold") edit.setCollapsed([node.id], false);
      else if (node.type === "note") edit.startWriting(node.id);
      else if (node.data.opens) void open(node.id);
      else edit.startRename(node.id);
    },
    onDoubleClick: (event: MouseEvent) => {
      const under = drawnUnder(event);
      if (under) return page.getState().canvas?.show(under);
      if (!(event.target as Element).classList.contains("react-flow__pane")) return;
      const screen = { x: event.clientX, y: event.clientY };
      edit.pick({ screen, at: toPlan(screen) });
    },
    onPaneClick: (event: MouseEvent) => {
      // What is drawn under the pointer, or nothing: there may be more selected than React Flow knows.
      const under = drawnUnder(event);
      editor.getState().select(under ? [under] : []);
    },
  };
}

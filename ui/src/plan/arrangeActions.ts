import type { NodeId, Position } from "@/api/bindings";
import {
  type Alignment,
  alignBoxes,
  boundingBox,
  type DistributionAxis,
  distributeBoxes,
} from "./align";
import type { Editor } from "./editor";
import { place } from "./edits";
import { type Rectangle, sizeOf } from "./geometry";
import { formatChosen } from "./nodeCounts";
import type { Page } from "./page";

/** Actions that align or distribute the selected nodes; each is one undo step. */
export function createArrangeActions(editor: Editor, page: Page) {
  function boxes(): Map<NodeId, Rectangle> {
    const { plan, selection } = editor.getState();
    const { canvas } = page.getState();
    const found = new Map<NodeId, Rectangle>();
    for (const node of plan.nodes) {
      const at = selection.has(node.id) ? (node.position ?? canvas?.placeOf(node.id)) : undefined;
      if (at) found.set(node.id, { ...at, ...sizeOf(node) });
    }
    return found;
  }

  const nameOf = (found: ReadonlyMap<NodeId, Rectangle>) =>
    formatChosen(editor.getState().plan.nodes, new Set(found.keys()));

  function move(label: string, places: ReadonlyMap<NodeId, Position>) {
    const { canvas } = page.getState();
    const settle = () => editor.getState().edit(label, (before) => place(before, places));
    page.setState({ announcement: places.size === 0 ? "Already in place" : label });
    if (places.size === 0) return;
    if (canvas) canvas.animateTo(places, settle);
    else settle();
  }

  return {
    align(alignment: Alignment) {
      const found = boxes();
      move(`Align ${nameOf(found)}`, alignBoxes(found, alignment));
    },

    distribute(spread: DistributionAxis) {
      const found = boxes();
      move(`Distribute ${nameOf(found)}`, distributeBoxes(found, spread));
    },

    /** The bounding box of the selection on the canvas. */
    aroundSelection: () => boundingBox(boxes().values()),
  };
}

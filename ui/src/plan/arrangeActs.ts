import type { NodeId, Position } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { type Alignment, aligned, distributed, type Spread, surrounding } from "./align";
import type { Editor } from "./editor";
import { place } from "./edits";
import { type Rectangle, sizeOf } from "./geometry";
import type { Page } from "./page";

/** Lines up and spreads out what is selected; each is one step of undo. */
export function createArrangeActs(editor: Editor, page: Page) {
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

  function move(label: string, places: ReadonlyMap<NodeId, Position>) {
    const { canvas } = page.getState();
    const settle = () => editor.getState().edit(label, (before) => place(before, places));
    page.setState({ announcement: places.size === 0 ? "They stand so already" : label });
    if (places.size === 0) return;
    if (canvas) canvas.glide(places, settle);
    else settle();
  }

  return {
    align(alignment: Alignment) {
      const found = boxes();
      move(`Align ${formatCount(found.size, "node")}`, aligned(found, alignment));
    },

    distribute(spread: Spread) {
      const found = boxes();
      move(`Distribute ${formatCount(found.size, "node")}`, distributed(found, spread));
    },

    /** The rectangle around what is selected, as it stands on the canvas. */
    aroundSelection: () => surrounding(boxes().values()),
  };
}

import type { Backend } from "@/api/Backend";
import type { NodeId, Position } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { canvasPointer } from "./canvasPointer";
import { clipboardText, parseClipboard } from "./clipboard";
import type { Editor } from "./editor";
import * as edits from "./edits";
import { focusSelection } from "./focusSelection";
import { centeringOffset, freeOffset } from "./freeOffset";
import { snapToGrid } from "./geometry";
import { formatNodesAndNotes } from "./nodeCounts";
import type { Page } from "./page";
import { looksLikePlan, parsePlanText } from "./pastedPlan";
import { createPlanAccess } from "./planAccess";

/** Copy, duplicate and paste. Each action that adds nodes is one undo step. */
export function createClipboardActions(editor: Editor, page: Page, backend: Pick<Backend, "call">) {
  const { selection, nodeOf, placed, nearby, say } = createPlanAccess(editor, page);

  function insert(
    fragment: edits.Fragment,
    offset: Position,
    verb: string,
    keeping = false,
  ): NodeId | undefined {
    let added: NodeId[] = [];
    const what = formatNodesAndNotes(fragment.nodes);
    editor.getState().edit(`${verb} ${what}`, (before) => {
      const { plan: after, ids } = edits.insertFragment(before, fragment, offset, keeping);
      added = ids;
      return after;
    });
    editor.getState().select(added);
    focusSelection(editor, page);
    say(`${what} added`);
    return added[0];
  }

  /** Moves the view to a node that was added without the pointer. */
  function bringIntoView(id: NodeId | undefined) {
    if (id) page.getState().canvas?.bringIntoView(id);
  }

  /**
   * At the pointer over the canvas, or else around the middle of the view; never on nodes. Without
   * a canvas, next to the selection.
   */
  function pasteOffset(fragment: edits.Fragment): Position {
    const { canvas } = page.getState();
    const screen = canvasPointer();
    const wish = !canvas
      ? offsetTo(nearby(), fragment)
      : screen
        ? offsetTo(canvas.toPlan(screen), fragment)
        : centeringOffset(canvas.middle(), fragment.nodes);
    return freeOffset(wish, fragment.nodes, placed().nodes);
  }

  return {
    /** Keeps the nodes in place and puts copies where they were dragged to. */
    duplicateTo(places: ReadonlyMap<NodeId, Position>) {
      const [id, to] = [...places][0] ?? [];
      const from = id && nodeOf(id)?.position;
      if (!from || !to) return;
      const fragment = edits.fragmentOf(placed(), new Set(places.keys()));
      insert(fragment, snapToGrid({ x: to.x - from.x, y: to.y - from.y }), "Duplicate");
    },

    /** Puts copies beside the selected nodes, as near as there is room. */
    duplicate() {
      const fragment = edits.fragmentOf(placed(), selection());
      if (fragment.nodes.length === 0) return;
      const offset = freeOffset({ x: 0, y: 0 }, fragment.nodes, placed().nodes);
      bringIntoView(insert(fragment, offset, "Duplicate"));
    },

    /** The selection as clipboard text; undefined when no node is selected. */
    copy(): string | undefined {
      const fragment = edits.fragmentOf(placed(), selection());
      if (fragment.nodes.length === 0) return undefined;
      say(`${formatNodesAndNotes(fragment.nodes)} copied`);
      return clipboardText(fragment);
    },

    /**
     * Pastes nodes of a blueprint, a plan file or a flowchart. Returns whether the text looked like
     * one of these; if it has faults, they are shown and nothing is pasted. With `keeping`, the
     * copies also keep incoming edges from nodes of this plan.
     */
    paste(text: string, keeping = false): boolean {
      const clip = parseClipboard(text);
      if (!clip) {
        if (!looksLikePlan(text)) return false;
        void parsePlanText(backend, text).then((fragment) => {
          if (fragment) bringIntoView(insert(fragment, pasteOffset(fragment), "Paste", keeping));
        });
        return true;
      }
      if (clip.faults) {
        showPasteErrors(clip.faults);
        return true;
      }
      const { fragment } = clip;
      bringIntoView(insert(fragment, pasteOffset(fragment), "Paste", keeping));
      return true;
    },
  };
}

const maxListedErrors = 4;

function showPasteErrors(faults: readonly string[]): void {
  const more = faults.length - maxListedErrors;
  const lines = faults.slice(0, maxListedErrors).join("; ");
  showToast({
    kind: "error",
    title: "Couldn't paste",
    detail: `The copied nodes aren't valid: ${lines}${more > 0 ? `; and ${more} more` : ""}.`,
  });
}

function offsetTo(to: Position, { nodes }: edits.Fragment): Position {
  const places = nodes.flatMap((node) => node.position ?? []);
  if (places.length === 0) return { x: 0, y: 0 };
  return {
    x: to.x - Math.min(...places.map((place) => place.x)),
    y: to.y - Math.min(...places.map((place) => place.y)),
  };
}

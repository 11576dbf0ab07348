import type { Editor } from "./editor";
import { focusedNode } from "./focusedNode";
import { focusSelectedNode } from "./inspectorFocus";
import type { Page } from "./page";

/**
 * Moves the focus from a card that is no longer selected to one that is, as keys act on the
 * selection and arrow keys on the focus.
 */
export function focusSelection(editor: Editor, page: Page): void {
  const focused = focusedNode();
  const { selection } = editor.getState();
  if (focused === undefined || selection.size === 0 || selection.has(focused)) return;
  // A card that was added or came back is rendered first.
  requestAnimationFrame(() => focusSelectedNode(page.getState().canvas));
}

import type { NodeId, NoteSize } from "@/api/bindings";
import type { Editor } from "./editor";
import { sizeOf } from "./geometry";
import { resizeNote, writeNote } from "./notes";
import type { Page } from "./page";

/** Actions on notes; each is one undo step. */
export function createNoteActions(editor: Editor, page: Page) {
  return {
    startWriting(id: NodeId) {
      page.setState({ writing: id });
    },

    /** Ends editing. Without a text, or with the same one, nothing changes. */
    writeNote(id: NodeId, text: string | undefined) {
      if (page.getState().writing !== id) return;
      page.setState({ writing: undefined });
      if (text !== undefined)
        editor.getState().edit("Write note", (before) => writeNote(before, id, text));
    },

    resizeNote(id: NodeId, size: NoteSize) {
      editor.getState().edit("Resize note", (before) => resizeNote(before, id, size));
    },

    /** Scales the selected notes by a factor. */
    scaleNotes(factor: number) {
      const { plan, selection } = editor.getState();
      const notes = plan.nodes.filter(
        (node) => selection.has(node.id) && node.kind.kind === "note",
      );
      editor.getState().edit("Resize note", (before) =>
        notes.reduce((after, node) => {
          const { width, height } = sizeOf(node);
          return resizeNote(after, node.id, { width: width * factor, height: height * factor });
        }, before),
      );
    },
  };
}

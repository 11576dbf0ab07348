import { quoteTitle } from "@/components/quotedTitle";
import { displayTitle } from "./nodeText";

/** Where a note on a run is kept, for the dialog that edits it. */
export const runNoteHint = "In Markdown, and stored on this machine. The run isn't changed.";

/** Names the run in the dialog. */
export function runNoteTitle(number: number, plan: string): string {
  return `Run #${number} of ${quoteTitle(displayTitle(plan))}`;
}

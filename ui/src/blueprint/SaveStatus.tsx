import type { ReactElement } from "react";
import { classes } from "@/components/classes";
import type { SaveState } from "@/plan/autosave";
import { useEditor } from "@/plan/editor";

const saveStateLabels: Record<SaveState, string> = {
  saved: "Saved",
  saving: "Saving…",
  conflict: "Changed elsewhere",
  invalid: "Not saved",
  offline: "Not saved, retrying",
  deleted: "Deleted",
};

/** The save state of the working copy. */
export function SaveStatus(): ReactElement {
  const state = useEditor((editor) => editor.saveState);
  const message = useEditor((editor) => editor.saveMessage);
  const calm = state === "saved" || state === "saving";
  return (
    <span
      role="status"
      // Every edit is saved, so screen readers announce only problems.
      aria-live={calm ? "off" : "polite"}
      title={message}
      className={classes("whitespace-nowrap text-12", calm ? "text-faint" : "text-danger-fg")}
    >
      {saveStateLabels[state]}
    </span>
  );
}

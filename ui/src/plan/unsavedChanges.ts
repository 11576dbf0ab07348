import type { Plan, PlanView } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { readDraft, removeDraft, writeDraft } from "@/shell/drafts";
import type { Editor, EditorState } from "./editor";

/**
 * Changes that the backend didn't take: the server was away, or a person has to decide. They are
 * kept in the browser's storage and come back when the blueprint is opened again, after a reload, a
 * crash of the page, or in another tab. Of two tabs with unsaved changes, the later one's are kept.
 */
interface UnsavedChanges {
  /** The revision that the changes are based on, and its plan. */
  revision: number;
  base: Plan;
  plan: Plan;
}

/** Whole plans are written, which takes some milliseconds for the largest: not for each keystroke. */
const writePause = 300;

const draftName = (planId: string) => `plan/${planId}`;

function readUnsaved(view: PlanView): UnsavedChanges | undefined {
  const value = readDraft(draftName(view.plan.id))?.value as Partial<UnsavedChanges> | undefined;
  const isComplete =
    typeof value?.revision === "number" && fits(value.base, view) && fits(value.plan, view);
  return isComplete ? (value as UnsavedChanges) : undefined;
}

/** Whether it is this plan, as this version of Baton knows plans. */
function fits(plan: Plan | undefined, { plan: known }: PlanView): boolean {
  return (
    plan?.id === known.id &&
    Array.isArray(plan.nodes) &&
    Object.keys(known).every((key) => key in plan)
  );
}

/**
 * Opens the plan with the changes that were not saved, if there are any. What was changed elsewhere
 * since is merged as always, so the two may collide. `open` makes the editor.
 */
export function openWithUnsaved(view: PlanView, open: (view: PlanView) => Editor): Editor {
  const unsaved = readUnsaved(view);
  if (!unsaved) return open(view);
  const { revision, base, plan } = unsaved;
  const editor = open({ ...view, revision, plan: base });
  editor.getState().edit("Restore unsaved changes", () => plan);
  editor.getState().receiveView(view);
  if (!editor.getState().dirty) removeDraft(draftName(view.plan.id));
  return editor;
}

/**
 * Says that unsaved changes were restored, and keeps changes that can't be saved now. Call the
 * returned function when the page is left: it waits for the save that is underway.
 */
export function keepUnsaved(editor: Editor): () => void {
  const name = draftName(editor.getState().view.plan.id);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Another tab's changes under this name are not for this one to remove.
  let isKept = editor.getState().dirty;
  // Here and not where they are restored, because React may open the plan repeatedly until the page
  // is complete.
  if (isKept) showToast({ kind: "info", title: "Unsaved changes restored" });
  let isLeft = false;

  function write() {
    clearTimeout(timer);
    timer = undefined;
    const { dirty, revision, view, workingCopy } = editor.getState();
    if (!dirty) return;
    isKept = true;
    writeDraft(name, { revision, base: view.plan, plan: workingCopy() } satisfies UnsavedChanges);
  }

  function onChange(state: EditorState) {
    if (!state.dirty) {
      clearTimeout(timer);
      timer = undefined;
      if (isKept) removeDraft(name);
      isKept = false;
      if (isLeft) unsubscribe();
    } else if (state.saveState !== "saving") {
      if (isLeft) {
        // The next page continues with these changes, and writes them from then on.
        unsubscribe();
        write();
      } else timer ??= setTimeout(write, writePause);
    }
  }

  const unsubscribe = editor.subscribe(onChange);
  window.addEventListener("pagehide", write);
  return () => {
    isLeft = true;
    window.removeEventListener("pagehide", write);
    onChange(editor.getState());
  };
}

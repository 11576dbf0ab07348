import { Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { showToast } from "@/components/toasts";
import type { PlanDeletion } from "@/plan/autosave";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { useRestorePlan } from "@/plan/useRestorePlan";
import { paths } from "@/shell/paths";

/**
 * Shown when the open blueprint was deleted elsewhere. It can be restored, or what this window
 * shows, with its unsaved changes, can be saved as a new blueprint.
 */
export function DeletedBanner(): ReactElement | null {
  const deletion = useEditor((state) => state.deletion);
  const plan = useEditor((state) => state.plan.id);
  const unsaved = useEditor((state) => state.dirty);
  // While this window deletes it, its own dialog says so.
  const deleting = usePage((state) => state.deleting);
  const { restore, restoring } = useRestorePlan();
  const { saveCopy, saving } = useSaveCopy();
  if (!deletion || deleting) return null;

  return (
    <Banner
      tone="warning"
      icon={<Trash2 />}
      actions={
        <>
          {deletion === "restorable" && (
            <Button size="small" busy={restoring !== undefined} onClick={() => void restore(plan)}>
              Restore
            </Button>
          )}
          <Button size="small" busy={saving} onClick={() => void saveCopy()}>
            Save as copy
          </Button>
        </>
      }
    >
      {deletionText(deletion, unsaved)}
    </Banner>
  );
}

function deletionText(deletion: PlanDeletion, unsaved: boolean): string {
  const kept = unsaved ? " Your unsaved changes are kept." : "";
  switch (deletion) {
    case "restorable":
      return `Deleted in another window. Restore it with its runs, or save what is shown here as a copy.${kept}`;
    case "gone":
      return `Deleted permanently in another window. Save what is shown here as a copy.${kept}`;
  }
}

/** Saves the working copy as a new blueprint and opens it. */
function useSaveCopy(): { saveCopy: () => Promise<void>; saving: boolean } {
  const { editor } = useBlueprint();
  const backend = useBackend();
  const navigate = useNavigate();
  const [saving, setSaving] = useState(false);

  async function saveCopy() {
    setSaving(true);
    try {
      const plan = editor.getState().workingCopy();
      const copy = await backend.call("plan_save_copy", { plan });
      await navigate(paths.blueprint(copy.plan.id), { replace: true });
      showToast({ kind: "info", title: "Saved as copy", detail: displayTitle(copy.plan.title) });
    } catch (cause) {
      const detail = ApiError.from(cause).message;
      showToast({ kind: "error", title: "Couldn't save the copy", detail });
    } finally {
      setSaving(false);
    }
  }
  return { saveCopy, saving };
}

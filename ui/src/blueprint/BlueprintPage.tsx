import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useEffect, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { useStore } from "zustand";
import { useBackend } from "@/api/backendContext";
import type { PlanView } from "@/api/bindings";
import { savePlan } from "@/api/planSave";
import { useOperation } from "@/api/queries";
import { ButtonLink } from "@/components/ButtonLink";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { type PlanDeletion, planDeletionOf } from "@/plan/autosave";
import { type Blueprint, BlueprintContext } from "@/plan/blueprintContext";
import { createEditActions } from "@/plan/editActions";
import { createEditor, EditorContext } from "@/plan/editor";
import { createOpenSubPlan } from "@/plan/openSubPlan";
import { createPage } from "@/plan/page";
import { createRunActions } from "@/plan/runActions";
import { keepUnsaved, openWithUnsaved } from "@/plan/unsavedChanges";
import { setAppStateValue } from "@/shell/appState";
import { PageHeader } from "@/shell/PageHeader";
import { paths } from "@/shell/paths";
import { BlueprintBody } from "./BlueprintBody";
import { DeletedBlueprint } from "./DeletedBlueprint";

/** One blueprint: its graph or list, its run, and the inspector of the selected node. */
export function BlueprintPage(): ReactElement {
  const { id = "" } = useParams();
  const { data, error, refetch, isFetching } = useOperation("plan_get", { plan: id });

  const deletion = error ? planDeletionOf(error.code) : undefined;
  if (data) return <OpenBlueprint key={id} view={data} deletion={deletion} refetch={refetch} />;
  if (!error) return <Loading />;
  if (deletion === "restorable") return <DeletedBlueprint plan={id} />;
  const gone = error.code === "not_found";
  return (
    <>
      <PageHeader title="Blueprint" />
      <ErrorState
        title={gone ? "Blueprint not found" : "Couldn't load the blueprint"}
        detail={error.code}
        {...(!gone && { onRetry: () => void refetch(), retrying: isFetching })}
        actions={<ButtonLink to={paths.blueprints}>All blueprints</ButtonLink>}
      >
        {error.message}
      </ErrorState>
    </>
  );
}

function Loading(): ReactElement {
  return (
    <>
      <PageHeader
        title="Blueprint"
        heading={<Skeleton width={220} />}
        toolbar={<Skeleton width={120} />}
      />
      <div className="flex-1 bg-canvas" role="status" aria-label="Loading blueprint" />
    </>
  );
}

// A constant element: each run event reloads the plan, which must not rerender the page if nothing
// changed.
const body = <BlueprintBody />;

interface OpenBlueprintProps {
  view: PlanView;
  /** Set when the plan was deleted after `view` was loaded. */
  deletion: PlanDeletion | undefined;
  /** Reads the plan again, after a save found out that it was deleted. */
  refetch: () => Promise<{ data: PlanView | undefined; error: unknown }>;
}

/**
 * Holds the working copy while the page is open. Later views from the backend are merged into it.
 */
function OpenBlueprint({ view, deletion, refetch }: OpenBlueprintProps): ReactElement {
  const backend = useBackend();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [blueprint] = useState((): Blueprint => {
    const editor = openWithUnsaved(view, (from) =>
      createEditor(backend, from, (input) => savePlan(backend, client, input)),
    );
    const page = createPage();
    return {
      editor,
      page,
      edit: createEditActions(editor, page, backend),
      runs: createRunActions(editor, page, backend),
      open: createOpenSubPlan(editor, backend, (address) => void navigate(address)),
    };
  });
  const { editor } = blueprint;

  useEffect(() => setAppStateValue("activePlan", view.plan.id), [view.plan.id]);
  // A restored plan often equals the last view, so the effect also depends on the deletion.
  useEffect(() => {
    if (deletion) editor.getState().receiveDeletion(deletion);
    else editor.getState().receiveView(view);
  }, [editor, view, deletion]);
  const refused = useStore(editor, (state) => state.deletion);
  useEffect(() => {
    if (!refused || deletion) return;
    // It may have been restored since. Then the view is the same, and no other effect runs.
    void refetch().then(({ data, error }) => !error && data && editor.getState().receiveView(data));
  }, [editor, refused, deletion, refetch]);
  useEffect(() => keepUnsaved(editor), [editor]);
  useEffect(() => {
    const flush = () => void editor.getState().flush();
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [editor]);

  return (
    <EditorContext value={editor}>
      <BlueprintContext value={blueprint}>{body}</BlueprintContext>
    </EditorContext>
  );
}

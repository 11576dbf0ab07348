import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/ApiError";
import type { Backend, PickedFile } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import type { PlanImportPreview } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { formatCount } from "@/components/formatCount";
import { Skeleton } from "@/components/Skeleton";
import { showToast } from "@/components/toasts";
import { defaultDirection } from "@/plan/geometry";
import { countRunnable } from "@/plan/nodeCounts";
import { displayTitle } from "@/plan/nodeText";
import { PlanThumbnail } from "@/plan/PlanThumbnail";
import { paths } from "@/shell/paths";

/** Previews a plan file that was opened with Baton. Nothing is imported before it is confirmed. */
export function OpenedFileDialog({
  file,
  onClose,
}: {
  file: PickedFile;
  onClose: () => void;
}): ReactElement {
  const backend = useBackend();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const read = useQuery<PlanImportPreview, ApiError>({
    queryKey: ["opened_file", file.name],
    queryFn: async () =>
      withPositions(backend, await backend.call("plan_look", await importInput(file))),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Opening the file again must read it again.
    gcTime: 0,
  });
  const seen = read.data;

  async function take() {
    setBusy(true);
    try {
      const { plan } = await backend.call("plan_bring", await importInput(file));
      await navigate(paths.blueprint(plan.plan.id));
      onClose();
    } catch (cause) {
      const { message } = ApiError.from(cause);
      showToast({ kind: "error", title: "Couldn't import the file", detail: message });
      setBusy(false);
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={seen ? displayTitle(seen.plan.title) : "Open a plan file"}
      description={file.name}
      width={560}
      actions={
        <>
          <Button onClick={onClose}>{read.isError ? "Close" : "Cancel"}</Button>
          {!read.isError && (
            <Button kind="primary" busy={busy} disabled={!seen} onClick={() => void take()}>
              {seen ? verbs[seen.fate] : "Import blueprint"}
            </Button>
          )}
        </>
      }
    >
      {read.isError ? (
        <FileErrors error={read.error} />
      ) : seen ? (
        <PlanPreview seen={seen} />
      ) : (
        <Skeleton width={320} />
      )}
    </Dialog>
  );
}

const verbs: Record<PlanImportPreview["fate"], string> = {
  new: "Import blueprint",
  changed: "Import as next version",
  same: "Open blueprint",
};

const fates: Record<PlanImportPreview["fate"], string> = {
  new: "Nothing is imported yet. Importing doesn't start a run.",
  changed: "This file was imported before and has changed since. Earlier versions are kept.",
  same: "This file was imported before and hasn't changed since.",
};

function PlanPreview({
  seen: { plan, fate, warnings, subPlans },
}: {
  seen: PlanImportPreview;
}): ReactElement {
  const nodes = formatCount(countRunnable(plan.nodes), "node");
  return (
    <div className="flex flex-col gap-3">
      <div className="h-40 rounded-card border bg-canvas p-2">
        <PlanThumbnail plan={plan} />
      </div>
      <p className="text-muted">
        {nodes}
        {subPlans > 0 &&
          `, with ${subPlans === 1 ? "1 more blueprint" : `${subPlans} more blueprints`}`}
        {plan.cwd && `, runs in ${plan.cwd}`}
      </p>
      <p>{fates[fate]}</p>
      {warnings.length > 0 && (
        <ul className="select-text text-12 text-muted" aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning} className="break-words py-0.5">
              {warning}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Lists all errors of a file that can't be imported. */
function FileErrors({ error: { message, faults: named } }: { error: ApiError }): ReactElement {
  const faults = named.length > 0 ? named : [message];
  return (
    <div role="alert">
      <p className="text-danger-fg">
        This file can't be imported. Fix the errors, then open it again.
      </p>
      <ul className="mt-2 select-text whitespace-pre-wrap break-words font-mono text-12">
        {faults.map((fault) => (
          <li key={fault} className="py-0.5">
            {fault}
          </li>
        ))}
      </ul>
    </div>
  );
}

async function importInput(file: PickedFile) {
  return { fileName: file.name, text: await file.read(), cwd: null };
}

/** Adds positions to the nodes that have none, as is usual for files. */
async function withPositions(
  backend: Pick<Backend, "call">,
  read: PlanImportPreview,
): Promise<PlanImportPreview> {
  const { plan } = read;
  const places = await backend
    .call("plan_arrange", {
      plan,
      direction: plan.direction ?? defaultDirection,
      missingOnly: true,
    })
    // The preview works without positions.
    .catch(() => []);
  const positions = new Map(places.map(({ node, position }) => [node, position]));
  const nodes = plan.nodes.map((node) => ({
    ...node,
    position: positions.get(node.id) ?? node.position,
  }));
  return { ...read, plan: { ...plan, nodes } };
}

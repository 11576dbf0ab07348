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
import { displayTitle } from "@/plan/nodeText";
import { PlanThumbnail } from "@/plan/PlanThumbnail";
import { paths } from "@/shell/paths";

/** Shows what is in a plan file that somebody opened with Baton. Nothing is taken in before the person says so. */
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
    // The next opening reads the file as it is then.
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
      showToast({ kind: "error", title: "The file was not imported", detail: message });
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
  new: "Nothing is imported yet, and importing runs nothing.",
  changed:
    "A blueprint was imported from this file before. The file has changed since; earlier versions stay.",
  same: "This file was imported before and has not changed since.",
};

function PlanPreview({
  seen: { plan, fate, warnings, subPlans },
}: {
  seen: PlanImportPreview;
}): ReactElement {
  const nodes = formatCount(plan.nodes.length, "node");
  return (
    <div className="flex flex-col gap-3">
      <div className="h-40 rounded-card border bg-canvas p-2">
        <PlanThumbnail plan={plan} />
      </div>
      <p className="text-muted">
        {nodes}
        {subPlans > 0 && `, with ${subPlans === 1 ? "1 more plan" : `${subPlans} more plans`}`}
        {plan.cwd && `, to run in ${plan.cwd}`}
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

/** Everything that has to be mended before the file can be taken in. */
function FileErrors({ error: { message, faults: named } }: { error: ApiError }): ReactElement {
  const faults = named.length > 0 ? named : [message];
  return (
    <div role="alert">
      <p className="text-danger-fg">
        It cannot be imported as it is. Mend the file, then open it again.
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

/** The same with a place for every node: files seldom say where theirs stand. */
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
    // A picture is not worth an error.
    .catch(() => []);
  const positions = new Map(places.map(({ node, position }) => [node, position]));
  const nodes = plan.nodes.map((node) => ({
    ...node,
    position: positions.get(node.id) ?? node.position,
  }));
  return { ...read, plan: { ...plan, nodes } };
}

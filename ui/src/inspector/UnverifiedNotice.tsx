import { TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { NodeRunView, RunId } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";

interface NoticeProps {
  run: RunId;
  nodeRun: NodeRunView;
  /** Undefined while the evidence is shown. */
  onOpenEvidence: (() => void) | undefined;
}

/** Says why a node is unverified, with actions to resolve it. Renders nothing for other nodes. */
export function UnverifiedNotice({
  nodeRun,
  ...props
}: Omit<NoticeProps, "nodeRun"> & { nodeRun: NodeRunView | undefined }): ReactElement | null {
  if (nodeRun?.state.state !== "done" || !nodeRun.unverified) return null;
  return <Notice {...props} nodeRun={nodeRun} />;
}

function Notice({ run, nodeRun, onOpenEvidence }: NoticeProps): ReactElement {
  const { node, attempt } = nodeRun;
  const known = useOperation("evidence_get", { run, node, attempt });
  const accept = useMutationOperation("evidence_accept");
  const rerun = useMutationOperation("node_rerun_alone");
  const failed = accept.error ?? rerun.error;
  return (
    <div className="flex flex-col gap-1.5 border-b bg-state-waiting-tint px-4 py-2 text-12">
      <p className="flex gap-1.5">
        <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0 text-state-waiting" />
        <span className="min-w-0 break-words">
          <span className="font-medium">Unverified:</span>{" "}
          {known.data?.doubt ?? "the claims don't match the evidence"}.
        </span>
      </p>
      <div className="flex flex-wrap gap-1.5">
        {onOpenEvidence && (
          <Button size="small" onClick={onOpenEvidence}>
            Open evidence
          </Button>
        )}
        <Button size="small" busy={accept.isPending} onClick={() => accept.mutate({ run, node })}>
          Accept anyway
        </Button>
        <Button size="small" busy={rerun.isPending} onClick={() => rerun.mutate({ run, node })}>
          Rerun this node only
        </Button>
      </div>
      {failed && (
        <p role="alert" className="text-danger-fg">
          {failed.message}
        </p>
      )}
    </div>
  );
}

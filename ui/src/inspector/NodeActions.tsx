import { type ReactElement, useState } from "react";
import type { Node, NodeRunView, RunView } from "@/api/bindings";
import { useMutationOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { quoteTitle } from "@/components/quotedTitle";
import { Tooltip } from "@/components/Tooltip";
import { MarkDoneDialog } from "@/pending/MarkDoneDialog";
import { useEditor } from "@/plan/editor";
import { isActive, type NodeAction, nodeActionRefusal } from "@/plan/nodeActions";
import { displayTitle } from "@/plan/nodeText";
import { LoadedRerunPreview } from "@/plan/RerunPreview";
import { StopNodeDialog } from "@/plan/StopNodeDialog";

export interface NodeActionsProps {
  node: Node;
  run: RunView;
  nodeRun: NodeRunView | undefined;
}

/** The actions on a node in the shown run. Disabled ones explain why. */
export function NodeActions({ node, run, nodeRun }: NodeActionsProps): ReactElement {
  const review = useEditor((editor) => editor.view.review);
  const [asking, setAsking] = useState<"stop" | "skip" | "mark_done" | "rerun">();
  const stop = useMutationOperation("node_stop");
  const retry = useMutationOperation("node_retry");
  const skip = useMutationOperation("node_skip");
  const rerun = useMutationOperation("node_rerun");
  const alone = useMutationOperation("node_rerun_alone");
  const target = { run: run.summary.id, node: node.id };
  const refusal = (act: NodeAction) => nodeActionRefusal(act, { node, review, run, nodeRun });
  const worked = isActive(nodeRun);
  const failed = stop.error ?? retry.error ?? skip.error ?? rerun.error ?? alone.error;

  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap gap-1.5">
        {nodeRun?.state.state === "interrupted" && (
          <Act
            label="Resume session"
            refusal={refusal("resume")}
            busy={retry.isPending}
            onAct={() => retry.mutate({ ...target, resume: true })}
          />
        )}
        {worked && (
          <Act
            label={nodeRun?.marks.stopping ? "Stopping…" : "Stop node"}
            refusal={refusal("stop")}
            busy={stop.isPending}
            onAct={() => setAsking("stop")}
          />
        )}
        <Act
          label="Retry"
          refusal={refusal("retry")}
          busy={retry.isPending}
          onAct={() => retry.mutate({ ...target, resume: null })}
        />
        <Act
          label="Skip"
          refusal={refusal("skip")}
          busy={skip.isPending}
          onAct={() => (worked ? setAsking("skip") : skip.mutate({ ...target, stop: null }))}
        />
        <Act
          label="Mark done"
          refusal={refusal("mark_done")}
          onAct={() => setAsking("mark_done")}
        />
        <Act
          label="Rerun from here"
          refusal={refusal("rerun")}
          busy={rerun.isPending}
          onAct={() => setAsking("rerun")}
        />
        <Act
          label="Rerun this node only"
          refusal={refusal("rerun_alone")}
          busy={alone.isPending}
          onAct={() => alone.mutate(target)}
        />
      </div>
      {failed && (
        <p role="alert" className="text-12 text-danger-fg">
          {failed.message}
        </p>
      )}
      {asking === "mark_done" && (
        <MarkDoneDialog
          {...target}
          title={displayTitle(node.title)}
          stop={worked}
          onClose={() => setAsking(undefined)}
        />
      )}
      <StopNodeDialog
        act={asking === "stop" || asking === "skip" ? asking : undefined}
        titles={[displayTitle(node.title)]}
        onClose={() => setAsking(undefined)}
        onConfirm={() => {
          setAsking(undefined);
          if (asking === "stop") stop.mutate(target);
          else skip.mutate({ ...target, stop: true });
        }}
      />
      <ConfirmDialog
        open={asking === "rerun"}
        onOpenChange={(open) => open || setAsking(undefined)}
        title={`Rerun from ${quoteTitle(displayTitle(node.title))}?`}
        confirmLabel="Rerun from here"
        destructive={false}
        onConfirm={() => {
          setAsking(undefined);
          rerun.mutate(target);
        }}
      >
        <p className="mb-2">
          This node and everything that depends on it will run again. Earlier attempts and their
          handoffs are kept.
        </p>
        {asking === "rerun" && (
          <LoadedRerunPreview run={target.run} act="rerun" nodes={[node.id]} />
        )}
      </ConfirmDialog>
    </div>
  );
}

interface ActProps {
  label: string;
  refusal: string | undefined;
  busy?: boolean;
  onAct: () => void;
}

/** A button that stays focusable when disabled, so that its reason can be read. */
function Act({ label, refusal, busy = false, onAct }: ActProps): ReactElement {
  if (refusal === undefined) {
    return (
      <Button size="small" busy={busy} onClick={onAct}>
        {label}
      </Button>
    );
  }
  return (
    <Tooltip content={refusal}>
      <Button
        size="small"
        aria-disabled
        aria-description={refusal}
        className="cursor-not-allowed opacity-50"
      >
        {label}
      </Button>
    </Tooltip>
  );
}

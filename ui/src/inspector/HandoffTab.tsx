import { Pencil } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { Node, NodeRunView, RunView } from "@/api/bindings";
import { EvidenceView } from "@/attempt/evidence/EvidenceView";
import { FanInPreview } from "@/attempt/FanInPreview";
import { HandoffView } from "@/attempt/HandoffView";
import { NodeSummary } from "@/attempt/NodeSummary";
import { ReceivedContext } from "@/attempt/ReceivedContext";
import { Button } from "@/components/Button";
import { Section } from "@/components/Section";
import { canPinOutput } from "@/plan/pins";
import { usesWorktrees } from "@/plan/usesWorktrees";
import { HandoffEditor } from "./HandoffEditor";
import { PinOutputButton } from "./PinOutputButton";

export interface HandoffTabProps {
  node: Node;
  run: RunView | undefined;
  nodeRun: NodeRunView | undefined;
}

/** The handoff of a node, and what it received. */
export function HandoffTab({ node, run, nodeRun }: HandoffTabProps): ReactElement {
  const [editing, setEditing] = useState(false);
  if (!run || !nodeRun) {
    return (
      <p className="px-4 py-4 text-muted">
        A handoff has a short document, named outputs, and the files that the node changed. Run the
        blueprint to see it here.
      </p>
    );
  }
  return (
    <div className="flex flex-col">
      <div className="flex flex-col gap-3 px-4 py-3">
        {nodeRun.session !== null && (
          <NodeSummary run={run.summary.id} node={node.id} attempt={nodeRun.attempt} />
        )}
        {nodeRun.artifact && editing ? (
          <HandoffEditor
            run={run}
            node={node.id}
            artifact={nodeRun.artifact}
            onClose={() => setEditing(false)}
          />
        ) : nodeRun.artifact ? (
          <div className="flex flex-col gap-3">
            <HandoffView artifact={nodeRun.artifact} />
            {nodeRun.state.state === "done" && (
              <div className="flex flex-wrap gap-2">
                <Button size="small" onClick={() => setEditing(true)}>
                  <Pencil />
                  Edit handoff
                </Button>
                {canPinOutput(node) && <PinOutputButton run={run} node={node.id} />}
              </div>
            )}
          </div>
        ) : (
          <div className="flex flex-col gap-3">
            <p className="text-muted">{withoutHandoff(nodeRun)}</p>
            {hasFailed(nodeRun) && (
              <EvidenceView run={run.summary.id} node={node.id} attempt={nodeRun.attempt} />
            )}
          </div>
        )}
      </div>
      {usesWorktrees(run) && <FanInPreview run={run.summary.id} node={node.id} />}
      <Section title="Received">
        <ReceivedContext run={run.summary.id} node={node.id} />
      </Section>
    </div>
  );
}

/** Returns whether an attempt ended without success, so that there may be evidence. */
function hasFailed({ state, attempt }: NodeRunView): boolean {
  return attempt > 0 && ["failed", "interrupted", "skipped"].includes(state.state);
}

function withoutHandoff({ state }: NodeRunView): string {
  switch (state.state) {
    case "pending":
    case "blocked":
    case "waiting":
    case "running":
      return "No handoff yet. The node writes it when its work is done.";
    case "done":
      return "This node is done, but has no handoff.";
    case "failed":
    case "interrupted":
      return "No handoff, because the node didn't finish.";
    case "skipped":
      return "No handoff, because the node was skipped. Nodes that depend on it see that it was skipped.";
  }
}

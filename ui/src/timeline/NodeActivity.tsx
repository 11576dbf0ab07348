import type { ReactNode } from "react";
import type { AttemptView, Node, NodeRunView, RunView } from "@/api/bindings";
import { subPlanIdOf } from "@/plan/kindSummary";
import { BranchTaken } from "./BranchTaken";
import { ChildRunList } from "./ChildRunList";
import { QuestionAnswerList } from "./QuestionAnswerList";

export interface NodeActivityProps {
  run: RunView;
  node: Node;
  nodeRun: NodeRunView | undefined;
  /** The selected attempt, if the node has any. */
  shown: AttemptView | undefined;
  /** Shown while there is no activity yet. */
  nothing: ReactNode;
  /** Renders the timeline of an attempt's session. */
  timeline: (attempt: AttemptView) => ReactNode;
}

/**
 * Shows what a node did. Most kinds show the timeline of a session; questions and sub-plans have
 * none.
 */
export function NodeActivity(props: NodeActivityProps): ReactNode {
  const { run, node, nodeRun, shown, nothing, timeline } = props;
  const { kind } = node;
  if (kind.kind === "user_input" && !shown)
    return <QuestionAnswerList {...{ run, node, nodeRun, nothing }} />;
  if (!shown) return nothing;
  if (subPlanIdOf(node) !== undefined)
    return <ChildRunList run={run} node={node.id} attempt={shown} />;
  const taken = nodeRun?.attempt === shown.attempt ? nodeRun.marks.taken : null;
  if (kind.kind === "condition" && taken !== null) {
    return (
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <BranchTaken run={run} task={kind} taken={taken} />
        {timeline(shown)}
      </div>
    );
  }
  return timeline(shown);
}

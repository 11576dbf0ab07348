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
  /** The attempt that is looked at. */
  shown: AttemptView | undefined;
  /** What stands here when there is nothing to tell yet. */
  nothing: ReactNode;
  /** The timeline of a session. */
  timeline: (attempt: AttemptView) => ReactNode;
}

/** What a node did, told as its kind wants: most by the timeline of their session, some have none. */
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

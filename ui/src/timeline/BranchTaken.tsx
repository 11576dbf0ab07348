import type { ReactElement } from "react";
import { Link } from "react-router";
import type { ConditionTask, RunView } from "@/api/bindings";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";

export interface BranchTakenProps {
  run: RunView;
  task: ConditionTask;
  /** The result of the condition. */
  taken: boolean;
}

/** A condition, its result, and which branch the run took. */
export function BranchTaken({ run, task, taken }: BranchTakenProps): ReactElement {
  return (
    <dl
      aria-label="Branch taken"
      className="grid shrink-0 grid-cols-[--spacing(18)_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 border-b px-4 py-2 text-12"
    >
      <dt className="text-faint">Condition</dt>
      <dd>
        <code className="select-text break-words">{task.condition}</code>
      </dd>
      <dt className="text-faint">Result</dt>
      <dd className="font-medium">{taken ? "Yes" : "No"}</dd>
      <dt className="text-faint">Taken</dt>
      <dd className="min-w-0">
        <Way run={run} head={taken ? task.trueStep : task.falseStep} />
      </dd>
      <dt className="text-faint">Skipped</dt>
      <dd className="min-w-0 text-muted">
        <Way run={run} head={taken ? task.falseStep : task.trueStep} />
      </dd>
    </dl>
  );
}

function Way({ run, head }: { run: RunView; head: string | null }): ReactElement {
  const node = run.plan.nodes.find(({ id }) => id === head);
  if (!node) return <span className="text-muted">No node on this branch</span>;
  return (
    <Link
      dir="auto"
      to={paths.node(run.summary.plan, node.id)}
      className="rounded-small underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {displayTitle(node.title)}
    </Link>
  );
}

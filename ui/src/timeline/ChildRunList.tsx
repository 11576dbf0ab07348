import { ArrowUpRight } from "lucide-react";
import type { ReactElement } from "react";
import type { AttemptView, ChildRun, NodeId, RunView } from "@/api/bindings";
import { ButtonLink } from "@/components/ButtonLink";
import { RelativeTime } from "@/components/RelativeTime";
import { RunStateLabel } from "@/components/RunStateLabel";
import { toSentence } from "@/components/toSentence";
import { usePlanTitles } from "@/plan/usePlanTitles";
import { paths } from "@/shell/paths";

export interface ChildRunListProps {
  run: RunView;
  node: NodeId;
  attempt: AttemptView;
}

/**
 * The runs of another blueprint that a node started, in order. Such a node has no session of its
 * own.
 */
export function ChildRunList({ run, node, attempt }: ChildRunListProps): ReactElement {
  const runs = run.children.filter((child) => child.node === node);
  const titles = usePlanTitles(runs.length > 0);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4">
      <p className="text-muted">
        {runs.length === 0
          ? "No run of the other blueprint has started yet."
          : "This node runs another blueprint. Open a run to see what happened."}
        {attempt.startedAt !== null && (
          <>
            {" Started "}
            <RelativeTime at={attempt.startedAt} />.
          </>
        )}
      </p>
      {attempt.outcome !== null && attempt.outcome.kind !== "succeeded" && (
        <p role="note" className="select-text break-words text-danger-fg">
          {toSentence(attempt.sentence)}
        </p>
      )}
      {runs.length > 0 && (
        <ol
          aria-label="Runs inside this node"
          className="max-w-180 divide-y divide-line overflow-hidden rounded-card border"
        >
          {runs.map((child, at) => (
            <InsideRow
              key={child.run}
              child={child}
              number={at + 1}
              title={titles.get(child.plan) ?? "Deleted blueprint"}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

interface InsideRowProps {
  child: ChildRun;
  number: number;
  title: string;
}

function InsideRow({ child, number, title }: InsideRowProps): ReactElement {
  const { state } = child.state;
  return (
    <li className="flex min-h-9 items-center gap-3 px-3 py-1">
      <span className="w-6 shrink-0 text-right text-12 text-faint tabular-nums">{number}</span>
      <span className="w-24 shrink-0">
        <RunStateLabel state={state} />
      </span>
      <span dir="auto" title={title} className="min-w-0 flex-1 truncate">
        {title}
      </span>
      <ButtonLink
        size="small"
        to={paths.blueprintAt(child.plan, { run: child.run })}
        aria-label={`Open run ${number}`}
      >
        <ArrowUpRight aria-hidden="true" />
        Open run
      </ButtonLink>
    </li>
  );
}

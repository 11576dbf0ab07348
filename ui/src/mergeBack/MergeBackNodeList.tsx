import { ChevronRight } from "lucide-react";
import type { ReactElement } from "react";
import type { MergeBackNode, MergeBackView, NodeId } from "@/api/bindings";
import { FileDeltaList, LineCounts } from "@/attempt/FileDeltaList";
import { describeWorkPlace, sumChangedLines } from "@/attempt/fileDeltaText";
import { formatCount } from "@/components/formatCount";
import { displayTitle } from "@/plan/nodeText";

interface MergeBackNodeListProps {
  mergeBack: MergeBackView;
  /** The nodes whose work is merged; null for all. */
  chosen: NodeId[] | null;
  onChoose: (nodes: NodeId[] | null) => void;
}

/** The nodes with separate worktrees and their changed files. Each can be chosen for the merge. */
export function MergeBackNodeList({
  mergeBack,
  chosen,
  onChoose,
}: MergeBackNodeListProps): ReactElement {
  const changed = mergeBack.nodes.filter((node) => node.files.length > 0);
  const offered = changed.filter((node) => node.whereabouts.place !== "directory");
  if (changed.length === 0) {
    return <p className="text-muted">No node of this run has work outside your directory.</p>;
  }
  const toggle = (node: NodeId, is: boolean) => {
    const before = chosen ?? offered.map((each) => each.node);
    const next = is ? [...before, node] : before.filter((each) => each !== node);
    onChoose(next.length === offered.length ? null : next);
  };
  return (
    <ul
      aria-label="Nodes with separate worktrees"
      className="flex flex-col divide-y rounded-card border"
    >
      {changed.map((node) => (
        <NodeRow
          key={node.node}
          node={node}
          checked={chosen === null ? node.coming : chosen.includes(node.node)}
          onToggle={(is) => toggle(node.node, is)}
        />
      ))}
    </ul>
  );
}

interface NodeRowProps {
  node: MergeBackNode;
  checked: boolean;
  onToggle: (is: boolean) => void;
}

function NodeRow({ node, checked, onToggle }: NodeRowProps): ReactElement {
  const isMerged = node.whereabouts.place === "directory";
  const count = node.files.length + node.filesLeftOut;
  // A chosen node builds on the work of this one.
  const along = node.coming && !checked;
  return (
    <li className="flex items-start gap-2 px-3 py-2">
      {isMerged ? (
        <span className="w-3.5 shrink-0" />
      ) : (
        <input
          type="checkbox"
          aria-label={`Merge the work of ${displayTitle(node.title)}`}
          checked={checked || along}
          disabled={along}
          onChange={(event) => onToggle(event.target.checked)}
          className="mt-1 size-3.5 shrink-0 accent-accent"
        />
      )}
      <details className="group min-w-0 flex-1">
        <summary className="flex cursor-default items-baseline gap-2">
          <ChevronRight
            aria-hidden="true"
            className="size-3 shrink-0 self-center text-faint group-open:rotate-90"
          />
          <span dir="auto" className="min-w-0 truncate font-medium" title={node.title}>
            {displayTitle(node.title)}
          </span>
          <span className="min-w-0 truncate text-12 text-faint">
            {describeWorkPlace(node.whereabouts)}
            {along && " · other nodes build on it"}
          </span>
          <span className="ml-auto shrink-0 text-12 text-muted">{formatCount(count, "file")}</span>
          <span className="shrink-0">
            <LineCounts {...sumChangedLines(node.files)} />
          </span>
        </summary>
        <div className="pt-1">
          <FileDeltaList
            label={`Files changed by ${displayTitle(node.title)}`}
            files={node.files}
            leftOut={node.filesLeftOut}
          />
        </div>
      </details>
    </li>
  );
}

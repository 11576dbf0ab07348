import type { ReactElement } from "react";
import type { NodeId, RerunNodeView, RerunPreviewView, RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { formatElapsed } from "@/components/duration";
import { formatNumber } from "@/components/formatCount";
import { formatCost } from "@/components/formatUsage";
import { toSentence } from "@/components/toSentence";
import { displayTitle } from "./nodeText";
import { type RerunAct, rerunScopes } from "./rerunRequest";
import { rerunCostText } from "./rerunText";

/** Loads what an act will run again. */
export function useRerunPreview(run: RunId, act: RerunAct, nodes: readonly NodeId[]) {
  return useOperation("run_rerun_preview", { run, nodes: [...nodes], scope: rerunScopes[act] });
}

/** What a rerun from a node will run, while it is loading, or why it can't. */
export function LoadedRerunPreview(props: {
  run: RunId;
  act: RerunAct;
  nodes: readonly NodeId[];
}): ReactElement {
  const { data, error } = useRerunPreview(props.run, props.act, props.nodes);
  if (error) {
    return (
      <p role="alert" className="text-danger-fg">
        {toSentence(error.message)}
      </p>
    );
  }
  return data ? (
    <RerunPreview preview={data} />
  ) : (
    <p className="text-muted">Loading what will run…</p>
  );
}

const maxListed = 10;

/** The nodes that will run again, with what they took and cost last time. */
function RerunPreview({ preview }: { preview: RerunPreviewView }): ReactElement {
  const { nodes } = preview;
  if (nodes.length === 0) return <p className="text-muted">There is nothing to run again.</p>;
  const rest = nodes.length - maxListed;
  return (
    <>
      <p className="mb-2 text-muted">{rerunCostText(preview)}</p>
      <ul aria-label="Nodes that will run" className="flex flex-col">
        {nodes.slice(0, maxListed).map((node) => (
          <PreviewRow key={node.node} node={node} />
        ))}
      </ul>
      {rest > 0 && <p className="pt-1 text-12 text-faint">and {formatNumber(rest)} more</p>}
    </>
  );
}

function PreviewRow({ node }: { node: RerunNodeView }): ReactElement {
  const title = displayTitle(node.title);
  return (
    <li className="flex h-7 items-center gap-3 border-b last:border-b-0">
      <span dir="auto" title={title} className="min-w-0 flex-1 truncate">
        {title}
      </span>
      <span className="shrink-0 text-12 text-muted tabular-nums">
        {[
          node.lastMs !== null && formatElapsed(node.lastMs),
          node.lastCostUsd !== null && formatCost(node.lastCostUsd),
        ]
          .filter(Boolean)
          .join(" · ") || "Not run yet"}
      </span>
    </li>
  );
}

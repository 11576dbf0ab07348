import { Handle, type NodeProps } from "@xyflow/react";
import { MessageSquare, Minus, PencilLine, Plus } from "lucide-react";
import { memo, type ReactElement } from "react";
import { classes } from "@/components/classes";
import { sourceAnchor, targetAnchor } from "@/plan/edgeAnchors";
import { cardSize } from "@/plan/geometry";
import { KindIcon } from "@/plan/KindIcon";
import { isCodeLine, kindSummary } from "@/plan/kindSummary";
import { changeMarkLabels, type GraphNode, type Mark } from "./proposalGraph";

/** A node in a proposal, with a tag for what the proposal does to it. */
export const ProposedCard = memo(function ProposedCard({ data, selected }: NodeProps<GraphNode>) {
  const { node, mark, reading, comments = 0 } = data;
  return (
    <div
      className={classes(
        "relative flex h-16 w-55 items-center gap-2 rounded-card border bg-surface py-1.5 pr-2.5 pl-3 text-left outline-accent outline-offset-2",
        borders[mark],
        selected && "outline-2",
      )}
    >
      <Handle
        type="target"
        position={targetAnchor(cardSize, reading).side}
        className="proposed-handle"
      />
      <KindIcon kind={node.kind.kind} />
      <span className="min-w-0 flex-1">
        <span
          dir="auto"
          className={classes("block truncate font-medium", mark === "removed" && "line-through")}
        >
          {node.title || node.slug}
        </span>
        <span
          dir="auto"
          className={classes("block truncate text-11 text-muted", isCodeLine(node) && "font-mono")}
        >
          {kindSummary(node)}
        </span>
      </span>
      {mark !== "same" && <MarkTag mark={mark} />}
      {comments > 0 && (
        <span className="absolute -top-2.5 left-2 flex h-5 items-center gap-0.5 rounded-full border bg-surface px-1.5 font-medium text-11 text-muted [&>svg]:size-3">
          <MessageSquare />
          {comments}
        </span>
      )}
      <Handle
        type="source"
        position={sourceAnchor(cardSize, reading, undefined).side}
        className="proposed-handle"
      />
    </div>
  );
});

const borders: Record<Mark, string> = {
  same: "border-line-strong/40",
  added: "border-state-done border-2 bg-state-done-tint",
  removed: "border-state-failed border-2 border-dashed bg-state-failed-tint",
  changed: "border-state-waiting border-2 bg-state-waiting-tint",
};

const tags: Record<Exclude<Mark, "same">, { icon: ReactElement; color: string }> = {
  added: { icon: <Plus />, color: "text-state-done" },
  removed: { icon: <Minus />, color: "text-state-failed" },
  changed: { icon: <PencilLine />, color: "text-state-waiting" },
};

function MarkTag({ mark }: { mark: Exclude<Mark, "same"> }): ReactElement {
  const { icon, color } = tags[mark];
  return (
    <span
      className={classes(
        "absolute -top-2.5 right-2 flex h-5 items-center gap-0.5 rounded-full border border-current bg-surface px-1.5 font-medium text-11 [&>svg]:size-3",
        color,
      )}
    >
      {icon}
      {changeMarkLabels[mark]}
    </span>
  );
}

import { Popover } from "radix-ui";
import type { ReactElement } from "react";
import type { Node, NodeRunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { formatNodePath, itemsInChildRuns } from "@/pending/childRunItems";
import { NodePendingItem } from "@/pending/NodePendingItem";
import {
  inboxItemKey,
  pendingItemForNode,
  pendingItemFromInbox,
  pendingItemKey,
} from "@/pending/pendingItem";
import { usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";

export interface CardAnswerProps {
  node: Node;
  nodeRun: NodeRunView | undefined;
}

/**
 * A popover at the card with the node's question and its answers, as in the Inbox and the
 * inspector.
 */
export function CardAnswer({ node, nodeRun }: CardAnswerProps): ReactElement {
  const open = usePage((state) => state.answering === node.id);
  const run = useEditor((state) => state.runId);
  const inbox = useOperation("inbox_list", {}, { enabled: open });
  const asking =
    run === undefined ? undefined : pendingItemForNode(run, nodeRun, node.title, inbox.data);
  const below = run === undefined ? [] : itemsInChildRuns(inbox.data, run, node.id);
  return (
    <Popover.Portal>
      <Popover.Content
        side="bottom"
        align="start"
        sideOffset={8}
        collisionPadding={12}
        aria-label={`Question from ${displayTitle(node.title)}`}
        // Keeps keys for the answer from reaching the canvas.
        onKeyDown={(event) => event.stopPropagation()}
        className="z-40 flex max-h-[60vh] w-96 animate-appear flex-col overflow-auto rounded-card bg-overlay shadow-float"
      >
        {asking && <NodePendingItem key={pendingItemKey(asking)} item={asking} />}
        {run !== undefined &&
          below.map((item) => (
            <NodePendingItem
              key={inboxItemKey(item)}
              item={pendingItemFromInbox(item)}
              path={formatNodePath(item, run)}
            />
          ))}
        {!asking && below.length === 0 && (
          <p className="p-3 text-muted" role="status">
            {inbox.isPending ? "Loading question…" : "This question no longer needs an answer."}
          </p>
        )}
      </Popover.Content>
    </Popover.Portal>
  );
}

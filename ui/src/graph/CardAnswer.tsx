import { Popover } from "radix-ui";
import type { ReactElement } from "react";
import type { Node, NodeRunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { askingOf, askingOfNode, askKey, itemKey } from "@/asks/ask";
import { asksBelow, pathWords } from "@/asks/below";
import { NodeAsk } from "@/asks/NodeAsk";
import { usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { titleWords } from "@/plan/nodeWords";

export interface CardAnswerProps {
  node: Node;
  nodeRun: NodeRunView | undefined;
}

/** What the node asks, with the acts that answer it, beside its card: the same as in the Inbox and the inspector. */
export function CardAnswer({ node, nodeRun }: CardAnswerProps): ReactElement {
  const open = usePage((state) => state.answering === node.id);
  const run = useEditor((state) => state.runId);
  const inbox = useOperation("inbox_list", {}, { enabled: open });
  const asking = run === undefined ? undefined : askingOfNode(run, nodeRun, node.title, inbox.data);
  const below = run === undefined ? [] : asksBelow(inbox.data, run, node.id);
  return (
    <Popover.Portal>
      <Popover.Content
        side="bottom"
        align="start"
        sideOffset={8}
        collisionPadding={12}
        aria-label={`Question of ${titleWords(node.title)}`}
        // What the person answers with is pressed here, not on the canvas behind.
        onKeyDown={(event) => event.stopPropagation()}
        className="z-40 flex max-h-[60vh] w-96 animate-appear flex-col overflow-auto rounded-card bg-overlay shadow-float"
      >
        {asking && <NodeAsk key={askKey(asking)} asking={asking} />}
        {run !== undefined &&
          below.map((item) => (
            <NodeAsk key={itemKey(item)} asking={askingOf(item)} path={pathWords(item, run)} />
          ))}
        {!asking && below.length === 0 && (
          <p className="p-3 text-muted" role="status">
            {inbox.isPending ? "Reading the question" : "It asks nothing any more."}
          </p>
        )}
      </Popover.Content>
    </Popover.Portal>
  );
}

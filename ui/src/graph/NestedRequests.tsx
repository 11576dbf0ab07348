import type { ReactElement } from "react";
import type { Node } from "@/api/bindings";
import { formatNodePath } from "@/pending/childRunItems";
import { describeAsk } from "@/pending/pendingItem";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { useNestedRequests } from "./useNestedRequests";

/**
 * A button on a node whose child run has a question. Shows the path to it, and opens the question
 * when clicked.
 */
export function NestedRequests({ node }: { node: Node }): ReactElement | null {
  const { page } = useBlueprint();
  const run = useEditor((state) => state.runId);
  const [first, ...more] = useNestedRequests(node);
  if (!first || run === undefined) return null;
  const words = formatNodePath(first, run);
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`${words}\n${describeAsk(first.ask)}`}
      aria-label={`Answer ${words}${more.length > 0 ? `, and ${more.length} more` : ""}`}
      onClick={(event) => {
        event.stopPropagation();
        page.setState({ answering: node.id });
      }}
      className="nodrag min-w-0 truncate rounded-small border bg-state-waiting-tint px-1 font-medium text-11 text-state-waiting leading-[14px]"
    >
      ? {words}
      {more.length > 0 && ` +${more.length}`}
    </button>
  );
}

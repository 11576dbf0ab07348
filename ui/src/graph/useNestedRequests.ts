import type { InboxItem, Node } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { itemsInChildRuns } from "@/pending/childRunItems";
import { useEditor } from "@/plan/editor";
import { subPlanIdOf } from "@/plan/kindSummary";

/**
 * The open questions in runs below a node of the shown run. Empty unless the node runs another
 * blueprint.
 */
export function useNestedRequests(node: Node | undefined): InboxItem[] {
  const run = useEditor((state) => (state.run?.past ? undefined : state.runId));
  const runsAnother = node !== undefined && subPlanIdOf(node) !== undefined;
  const inbox = useOperation("inbox_list", {}, { enabled: runsAnother && run !== undefined });
  return runsAnother && run !== undefined ? itemsInChildRuns(inbox.data, run, node.id) : [];
}

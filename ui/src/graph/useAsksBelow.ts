import type { InboxItem, Node } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { asksBelow } from "@/asks/below";
import { useEditor } from "@/plan/editor";
import { subPlanOf } from "@/plan/kindSummary";

/** What the runs below a node of the shown run ask. Only a node that runs another blueprint is looked at. */
export function useAsksBelow(node: Node | undefined): InboxItem[] {
  const run = useEditor((state) => (state.run?.past ? undefined : state.runId));
  const runsAnother = node !== undefined && subPlanOf(node) !== undefined;
  const inbox = useOperation("inbox_list", {}, { enabled: runsAnother && run !== undefined });
  return runsAnother && run !== undefined ? asksBelow(inbox.data, run, node.id) : [];
}

import type { InboxItem, NodeId, RunId } from "@/api/bindings";
import { displayTitle } from "@/plan/nodeText";

/** Returns the items from the child runs of a node and their descendants, longest waiting first. */
export function itemsInChildRuns(
  items: readonly InboxItem[] | undefined,
  run: RunId,
  node: NodeId,
): InboxItem[] {
  const leadsThere = ({ path }: InboxItem) =>
    path.some((step) => step.run === run && step.node === node);
  return (items ?? []).filter(leadsThere);
}

/** Formats the path from the node in `run` to the one that asks: "Deploy › Ask". */
export function formatNodePath({ path, node, planTitle }: InboxItem, run: RunId): string {
  const steps = path.slice(path.findIndex((step) => step.run === run));
  return [...steps.map(({ title }) => title), node?.title ?? planTitle]
    .map(displayTitle)
    .join(" › ");
}

import type { InboxItem, NodeId, RunId } from "@/api/bindings";
import { displayTitle } from "@/plan/nodeText";

/** What the runs below a node ask, what waits longest first: those that stand for it, and whatever these run. */
export function itemsInChildRuns(
  items: readonly InboxItem[] | undefined,
  run: RunId,
  node: NodeId,
): InboxItem[] {
  const leadsThere = ({ path }: InboxItem) =>
    path.some((step) => step.run === run && step.node === node);
  return (items ?? []).filter(leadsThere);
}

/** The titles of the nodes from the one in `run` to the one that asks: "Deploy › Ask". */
export function formatNodePath({ path, node, planTitle }: InboxItem, run: RunId): string {
  const steps = path.slice(path.findIndex((step) => step.run === run));
  return [...steps.map(({ title }) => title), node?.title ?? planTitle]
    .map(displayTitle)
    .join(" › ");
}

import type { Group, Node, Plan } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { nodesById } from "./nodesById";

type HasKind = Pick<Node, "kind">;

/** The number of nodes that can run. Notes can't, so they are not counted. */
export function countRunnable(nodes: readonly HasKind[]): number {
  return nodes.reduce((count, { kind }) => (kind.kind === "note" ? count : count + 1), 0);
}

/** Nodes and notes by their names: "3 nodes", "1 note", "3 nodes and 1 note". */
export function formatNodesAndNotes(nodes: readonly HasKind[]): string {
  const runnable = countRunnable(nodes);
  const notes = nodes.length - runnable;
  if (notes === 0) return formatCount(runnable, "node");
  if (runnable === 0) return formatCount(notes, "note");
  return `${formatCount(runnable, "node")} and ${formatCount(notes, "note")}`;
}

/** The members of a group. */
export function formatMembers(plan: Pick<Plan, "nodes">, { nodes }: Pick<Group, "nodes">): string {
  const byId = nodesById(plan);
  return formatNodesAndNotes(nodes.flatMap((id) => byId.get(id) ?? []));
}

/** Like `formatNodesAndNotes`, for those of `nodes` whose ids are in `ids`. */
export function formatChosen(
  nodes: readonly Pick<Node, "id" | "kind">[],
  ids: ReadonlySet<string>,
): string {
  return formatNodesAndNotes(nodes.filter(({ id }) => ids.has(id)));
}

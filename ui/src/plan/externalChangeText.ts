import type { Node, Plan } from "@/api/bindings";
import { isDeepEqual } from "@/api/isDeepEqual";
import { formatNodesAndNotes } from "./nodeCounts";
import { nodesById } from "./nodesById";
import { displayTitle } from "./nodeText";

/**
 * Summarizes a change made elsewhere: "Changed elsewhere: Build removed, 2 nodes changed".
 * Undefined when nothing changed. Compares nodes, edges and groups by identity.
 */
export function externalChangeText(before: Plan, after: Plan): string | undefined {
  const [was, is] = [nodesById(before), nodesById(after)];
  const added = after.nodes.filter(({ id }) => !was.has(id));
  const removed = before.nodes.filter(({ id }) => !is.has(id));
  const changed = after.nodes.filter((node) => was.has(node.id) && was.get(node.id) !== node);
  const parts = [
    nodeCountText(removed, "removed"),
    nodeCountText(added, "added"),
    nodeCountText(changed, "changed"),
    // Edges appear and disappear with their nodes.
    removed.length + added.length === 0 && before.edges !== after.edges && "edges changed",
    before.groups !== after.groups && "groups changed",
  ].filter((part) => typeof part === "string");
  if (parts.length === 0 && isDeepEqual(before, after)) return undefined;
  return `Changed elsewhere: ${parts.join(", ") || "blueprint settings"}`;
}

function nodeCountText(nodes: readonly Node[], what: string): string | false {
  const [first] = nodes;
  if (!first) return false;
  return `${nodes.length === 1 ? displayTitle(first.title) : formatNodesAndNotes(nodes)} ${what}`;
}

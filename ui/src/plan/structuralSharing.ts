import type { Plan } from "@/api/bindings";
import { isDeepEqual } from "@/api/isDeepEqual";

/** Reuses objects of `known` wherever `plan` has equal ones, so that they don't rerender. */
export function withStructuralSharing(plan: Plan, known: Plan): Plan {
  return {
    ...plan,
    nodes: reuseUnchangedItems(plan.nodes, known.nodes, ({ id }) => id),
    edges: isDeepEqual(plan.edges, known.edges) ? known.edges : plan.edges,
    groups: reuseUnchangedItems(plan.groups, known.groups, ({ id }) => id),
  };
}

function reuseUnchangedItems<Item>(
  items: Item[],
  known: Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const byKey = new Map(known.map((item) => [keyOf(item), item]));
  const found = items.map((item) => {
    const before = byKey.get(keyOf(item));
    return before !== undefined && isDeepEqual(item, before) ? before : item;
  });
  const unchanged = found.length === known.length && found.every((item, at) => item === known[at]);
  return unchanged ? known : found;
}

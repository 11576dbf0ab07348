import type { Plan } from "@/api/bindings";
import { sameContent } from "@/api/sameContent";

/** A plan that came from elsewhere, with the very objects of a known one wherever both say the same: nothing is drawn anew for them. */
export function withKnown(plan: Plan, known: Plan): Plan {
  return {
    ...plan,
    nodes: knownItems(plan.nodes, known.nodes, ({ id }) => id),
    edges: sameContent(plan.edges, known.edges) ? known.edges : plan.edges,
    groups: knownItems(plan.groups, known.groups, ({ id }) => id),
  };
}

function knownItems<Item>(items: Item[], known: Item[], keyOf: (item: Item) => string): Item[] {
  const byKey = new Map(known.map((item) => [keyOf(item), item]));
  const found = items.map((item) => {
    const before = byKey.get(keyOf(item));
    return before !== undefined && sameContent(item, before) ? before : item;
  });
  const unchanged = found.length === known.length && found.every((item, at) => item === known[at]);
  return unchanged ? known : found;
}

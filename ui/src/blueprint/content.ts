import type { Plan } from "@/api/bindings";

/** What two plans, or parts of them, say; in which objects and in which order of keys does not count. */
export function sameContent(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => sameContent(item, other[at]))
    );
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    sameContent(left[key], right[key]),
  );
}

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

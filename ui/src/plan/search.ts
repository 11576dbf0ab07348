import type { Node, NodeId, Plan } from "@/api/bindings";

const nothing: readonly NodeId[] = [];
let cachedSearch: { nodes: readonly Node[]; text: string; found: readonly NodeId[] } | undefined;

/**
 * The nodes whose title, slug, description or kind contains the text, in plan order; empty for an
 * empty text.
 */
export function matchesOf({ nodes }: Pick<Plan, "nodes">, text: string): readonly NodeId[] {
  const words = text.toLowerCase().trim();
  if (words === "") return nothing;
  if (cachedSearch?.nodes !== nodes || cachedSearch.text !== words)
    cachedSearch = {
      nodes,
      text: words,
      found: nodes.filter((node) => nodeMatches(node, words)).map(({ id }) => id),
    };
  return cachedSearch.found;
}

function nodeMatches(node: Node, words: string): boolean {
  const text = node.kind.kind === "note" ? node.kind.text : node.description;
  return [node.title, node.slug, text, node.kind.kind.replaceAll("_", " ")].some((field) =>
    field.toLowerCase().includes(words),
  );
}

/** The match after or before the selected one; the first or last when none is selected. */
export function nextMatch(
  found: readonly NodeId[],
  selection: ReadonlySet<NodeId>,
  step: 1 | -1,
): NodeId | undefined {
  const at = found.findIndex((id) => selection.has(id));
  if (at === -1) return step === 1 ? found[0] : found.at(-1);
  return found[(at + step + found.length) % found.length];
}

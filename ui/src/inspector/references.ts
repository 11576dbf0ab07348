import type { Node, NodeId, Plan } from "@/api/bindings";
import { changeNode } from "@/blueprint/edits";
import { adjacencyOf, reachable } from "@/graph/reachability";

/** A `{{nodes.<slug>.outputs.<key>}}` in a text. */
export interface Reference {
  from: number;
  to: number;
  slug: string;
  slugFrom: number;
  slugTo: number;
}

const pattern = /\{\{\s*nodes\.([A-Za-z0-9][A-Za-z0-9_-]*)\.outputs\.[A-Za-z0-9_.-]*\s*\}\}/g;

export function referencesIn(text: string): Reference[] {
  return [...text.matchAll(pattern)].map((match) => {
    const slug = match[1] ?? "";
    const slugFrom = match.index + match[0].indexOf("nodes.") + "nodes.".length;
    return {
      from: match.index,
      to: match.index + match[0].length,
      slug,
      slugFrom,
      slugTo: slugFrom + slug.length,
    };
  });
}

/** `text` with every reference to the node `from` naming `to`. */
export function renameInText(text: string, from: string, to: string): string {
  let result = "";
  let at = 0;
  for (const { slug, slugFrom, slugTo } of referencesIn(text)) {
    if (slug !== from) continue;
    result += text.slice(at, slugFrom) + to;
    at = slugTo;
  }
  return result + text.slice(at);
}

/** The nodes whose prompt or command names an output of `slug`. */
export function nodesNaming(plan: Pick<Plan, "nodes">, slug: string): Node[] {
  return plan.nodes.filter((node) =>
    textsOf(node).some((text) => referencesIn(text).some((reference) => reference.slug === slug)),
  );
}

/** Gives a node another slug; with `rewrite`, everything that named the old one names the new one. */
export function renameSlug(plan: Plan, id: NodeId, slug: string, rewrite: boolean): Plan {
  const old = plan.nodes.find((node) => node.id === id)?.slug;
  if (old === undefined || old === slug) return plan;
  const renamed = changeNode(plan, id, (node) => ({ ...node, slug }));
  if (!rewrite) return renamed;
  return nodesNaming(plan, old).reduce(
    (result, { id: naming }) => changeNode(result, naming, (node) => rewritten(node, old, slug)),
    renamed,
  );
}

/** The slugs that a node may name: its ancestors', nearest last in plan order. */
export function slugsInReach(plan: Plan, id: NodeId): string[] {
  const ancestors = reachable(adjacencyOf(plan.edges).parentsOf, id);
  return plan.nodes.filter((node) => ancestors.has(node.id)).map((node) => node.slug);
}

function textsOf({ kind }: Node): string[] {
  switch (kind.kind) {
    case "agent":
      return [kind.prompt];
    case "command":
      return typeof kind.command === "string" ? [kind.command] : kind.command;
    case "note":
      return [];
  }
}

function rewritten(node: Node, from: string, to: string): Node {
  const { kind } = node;
  const rename = (text: string) => renameInText(text, from, to);
  switch (kind.kind) {
    case "agent":
      return { ...node, kind: { ...kind, prompt: rename(kind.prompt) } };
    case "command":
      return {
        ...node,
        kind: {
          ...kind,
          command:
            typeof kind.command === "string" ? rename(kind.command) : kind.command.map(rename),
        },
      };
    case "note":
      return node;
  }
}

import type { Node, NodeId, NodeKind, Plan } from "@/api/bindings";
import { changeNode, type KindName } from "@/blueprint/edits";
import { commandText } from "./commandText";

/** The node as another kind; what it says becomes the prompt, command or note. Settings of the node stay. */
export function switchKind(node: Node, to: KindName): Node {
  if (node.kind.kind === to) return node;
  const words = wordsOf(node.kind);
  return { ...node, kind: kindFrom(to, words) };
}

function wordsOf(kind: NodeKind): string {
  switch (kind.kind) {
    case "agent":
      return kind.prompt;
    case "command":
      return commandText(kind.command);
    case "note":
      return kind.text;
  }
}

function kindFrom(kind: KindName, words: string): NodeKind {
  switch (kind) {
    case "agent":
      return { kind, agent: null, model: null, prompt: words };
    case "command":
      return { kind, command: words, env: {}, cwd: null };
    case "note":
      return { kind, text: words };
  }
}

/** The plan with one node of another kind. Notes have no dependencies, so those of a new note go. */
export function switchKindIn(plan: Plan, id: NodeId, to: KindName): Plan {
  const switched = changeNode(plan, id, (node) => switchKind(node, to));
  if (to !== "note" || switched === plan) return switched;
  const edges = plan.edges.filter((edge) => edge.parent !== id && edge.child !== id);
  return { ...switched, edges };
}

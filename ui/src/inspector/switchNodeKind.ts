import type { Node, NodeId, NodeKind, Plan, ToolCall } from "@/api/bindings";
import { mapTargets } from "@/plan/conditionalEdges";
import { changeNode } from "@/plan/edits";
import { blankKind, type KindName } from "@/plan/kinds";
import { commandText } from "./commandText";

/**
 * Returns the node as another kind. Its main text is kept where the new kind has one, and its
 * settings stay.
 */
function switchKind(node: Node, to: KindName): Node {
  if (node.kind.kind === to) return node;
  return { ...node, kind: kindFrom(to, mainText(node.kind)) };
}

function mainText(kind: NodeKind): string {
  switch (kind.kind) {
    case "agent":
    case "llm_decision":
      return kind.prompt;
    case "command":
      return commandText(kind.command);
    case "tool_call":
      return shellLine(kind);
    case "parallel":
      return kind.steps.map(shellLine).filter(Boolean).join("\n");
    case "loop":
      return "tool" in kind.body ? shellLine(kind.body.tool) : "";
    case "user_input":
      return kind.question;
    case "note":
      return kind.text;
    case "condition":
    case "sub_plan":
      return "";
  }
}

function shellLine({ toolName, toolArgs }: ToolCall): string {
  const { command } = toolArgs;
  return toolName === "shell" && typeof command === "string" ? command : "";
}

function kindFrom(name: KindName, words: string): NodeKind {
  const kind = blankKind(name);
  if (words === "") return kind;
  const call: ToolCall = { toolName: "shell", toolArgs: { command: words } };
  switch (kind.kind) {
    case "agent":
    case "llm_decision":
      return { ...kind, prompt: words };
    case "command":
      return { ...kind, command: words };
    case "user_input":
      return { ...kind, question: words };
    case "note":
      return { ...kind, text: words };
    case "tool_call":
      return { ...kind, ...call };
    case "parallel":
      return { ...kind, steps: [call] };
    case "loop":
      return { ...kind, body: { tool: call } };
    case "condition":
    case "sub_plan":
      return kind;
  }
}

/** Changes the kind of one node. A new note loses its edges, since notes have none. */
export function switchNodeKind(plan: Plan, id: NodeId, to: KindName): Plan {
  const switched = changeNode(plan, id, (node) => switchKind(node, to));
  if (to !== "note" || switched === plan) return switched;
  const nodes = switched.nodes.map((node) =>
    mapTargets(node, (target) => (node.id === id || target === id ? null : target)),
  );
  const edges = plan.edges.filter((edge) => edge.parent !== id && edge.child !== id);
  return { ...switched, nodes, edges };
}

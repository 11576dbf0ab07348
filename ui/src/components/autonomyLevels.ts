import type { Autonomy } from "@/api/bindings";

/** The autonomy levels with their labels and explanations. */
export const autonomyLevels: { id: `${Autonomy}`; label: string; hint: string }[] = [
  {
    id: "0",
    label: "0 · Ask for everything",
    hint: "Every node asks before it starts. So does every tool call that does more than read, and every tool outside a node's list.",
  },
  {
    id: "1",
    label: "1 · Approve once per version",
    hint: "Nodes run as approved; a changed blueprint must be approved again. Tools outside a node's list need approval. A node without a list may use any tool, including the shell.",
  },
  {
    id: "2",
    label: "2 · Ask for guarded tools",
    hint: "Nodes run. Tools that do more than read need approval, unless the node lists them.",
  },
  {
    id: "3",
    label: "3 · Block other tools",
    hint: "Nodes run, and nothing needs approval. Tools that do more than read are blocked, unless the node lists them.",
  },
  {
    id: "4",
    label: "4 · Never ask",
    hint: "Nothing needs approval and nothing is blocked. Tools outside a node's list are recorded.",
  },
];

/** Returns the explanation of a level. */
export function autonomyHint(level: Autonomy): string | undefined {
  return autonomyLevels[level]?.hint;
}

/** Returns the label of a level, or its number if it is unknown. */
export function autonomyLabel(level: Autonomy): string {
  return autonomyLevels[level]?.label ?? `${level}`;
}

import type { Autonomy } from "@/api/bindings";

/** How much of a run is asked of a person, for people. */
export const autonomyLevels: { id: `${Autonomy}`; label: string; hint: string }[] = [
  {
    id: "0",
    label: "0 · Ask for everything",
    hint: "Every node asks before it starts. So does every tool call that does more than look, and every tool outside a node's list.",
  },
  {
    id: "1",
    label: "1 · Approval covers the plan",
    hint: "Nodes run as they were approved; a changed plan is approved again first. Tools outside a node's list ask. A node without a list may use any tool, the shell included.",
  },
  {
    id: "2",
    label: "2 · Ask for guarded tools",
    hint: "Nodes run. Tools that do more than look ask, unless the node lists them.",
  },
  {
    id: "3",
    label: "3 · Block other tools",
    hint: "Nodes run, and nothing asks. Tools that do more than look are refused, unless the node lists them.",
  },
  {
    id: "4",
    label: "4 · Never ask",
    hint: "Nothing asks and nothing is refused. Tools outside a node's list are noted.",
  },
];

/** What a level means, in a sentence or two. */
export function autonomyHint(level: Autonomy): string | undefined {
  return autonomyLevels[level]?.hint;
}

/** What a level is called. */
export function autonomyLabel(level: Autonomy): string {
  return autonomyLevels[level]?.label ?? `${level}`;
}

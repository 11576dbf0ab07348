import type { Autonomy } from "@/api/bindings";

/** How much of a run is asked of a person, for people (product E9). */
export const autonomyLevels: { id: `${Autonomy}`; label: string; hint: string }[] = [
  {
    id: "0",
    label: "0 · Ask for everything",
    hint: "Every node asks before it starts. Guarded tools and tools outside a node's list ask.",
  },
  {
    id: "1",
    label: "1 · Approval covers the plan",
    hint: "Nodes run as they were approved; a changed plan is approved again first. Guarded tools that a node does not list ask; others outside its list are refused.",
  },
  {
    id: "2",
    label: "2 · Ask for guarded tools",
    hint: "Nodes run, but for tool calls of guarded tools, which ask. Guarded tools of agents ask; other tools outside a node's list are refused.",
  },
  {
    id: "3",
    label: "3 · Refuse what is outside",
    hint: "Nodes run, and nothing asks. Guarded tools that a node does not list are refused, and so are other tools outside its list.",
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

import type { TeamRule } from "@/api/bindings";

/** The rules by which a team chooses the agent for a node, with labels and explanations. */
export const teamRules: { id: TeamRule; label: string; hint: string }[] = [
  {
    id: "first",
    label: "First available",
    hint: "In list order. The next member is used when one is missing or at its usage limit.",
  },
  { id: "rotate", label: "Round robin", hint: "Within a run, each node goes to the next member." },
  {
    id: "least_busy",
    label: "Least busy",
    hint: "The member with the fewest active sessions.",
  },
  {
    id: "ask",
    label: "Ask an agent",
    hint: "It sees the blueprint, the node, the remaining nodes and the failures. If its answer isn't usable, the first available member is used.",
  },
];

/** Returns the label of a rule, or its id if it is unknown. */
export function teamRuleLabel(rule: TeamRule): string {
  return teamRules.find(({ id }) => id === rule)?.label ?? rule;
}

const prefix = "team:";

/** Returns the value of a node's agent field for a team. */
export function teamReference(name: string): string {
  return prefix + name;
}

/** Returns the team that a node's agent field names, or `undefined` for an agent. */
export function referencedTeam(agent: string | null): string | undefined {
  return agent?.startsWith(prefix) ? agent.slice(prefix.length).trim() : undefined;
}

import type { TeamRule } from "@/api/bindings";

/** How a team finds the agent for a node, for people. */
export const teamRules: { id: TeamRule; label: string; hint: string }[] = [
  {
    id: "first",
    label: "First available",
    hint: "In the order of the list. The others step in when one is missing or at its usage limit.",
  },
  { id: "rotate", label: "In turn", hint: "Within a run, each node goes to the next member." },
  {
    id: "least_busy",
    label: "Least busy",
    hint: "The member with the fewest active sessions.",
  },
  {
    id: "ask",
    label: "Ask an agent",
    hint: "It sees the plan, the node, what is left and what went wrong. If it has no usable answer, the first that can work is taken.",
  },
];

/** The rule in a word or two. */
export function teamRuleLabel(rule: TeamRule): string {
  return teamRules.find(({ id }) => id === rule)?.label ?? rule;
}

const prefix = "team:";

/** What a node's agent is called when it is a team. */
export function teamReference(name: string): string {
  return prefix + name;
}

/** The team that a node's agent means; none when it is an agent. */
export function referencedTeam(agent: string | null): string | undefined {
  return agent?.startsWith(prefix) ? agent.slice(prefix.length).trim() : undefined;
}

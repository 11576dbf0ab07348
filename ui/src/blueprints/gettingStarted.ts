import type { AgentView, PlanSummary } from "@/api/bindings";

const example = "example";

/**
 * Returns the example that a new user starts with, which is the oldest one. Returns undefined once
 * anything has run or there is a blueprint that is not an example.
 */
export function firstExample(plans: readonly PlanSummary[]): PlanSummary | undefined {
  const isNew = plans.every(({ lastRun, tags }) => lastRun === null && tags.includes(example));
  if (!isNew) return undefined;
  return plans.reduce<PlanSummary | undefined>(
    (first, plan) => (first && first.createdAt <= plan.createdAt ? first : plan),
    undefined,
  );
}

/**
 * Returns the installed agents as the subject of a sentence ("Codex and pi are"), undefined if
 * there are none.
 */
export function describeFoundAgents(agents: readonly AgentView[]): string | undefined {
  const titles = agents.filter(({ path }) => path !== null).map(({ title }) => title);
  const last = titles.pop();
  if (last === undefined) return undefined;
  return titles.length === 0 ? `${last} is` : `${titles.join(", ")} and ${last} are`;
}

import type { AgentView, PlanSummary } from "@/api/bindings";

const example = "example";

/**
 * The example that a newcomer begins with: the one that was put in first. None as soon as anything has run or a
 * blueprint of the person's own is there, for then nobody has to be told how to begin.
 */
export function firstExample(plans: readonly PlanSummary[]): PlanSummary | undefined {
  const isNew = plans.every(({ lastRun, tags }) => lastRun === null && tags.includes(example));
  if (!isNew) return undefined;
  return plans.reduce<PlanSummary | undefined>(
    (first, plan) => (first && first.createdAt <= plan.createdAt ? first : plan),
    undefined,
  );
}

/** The agents that were found, as the subject of a sentence; none when there are none. */
export function describeFoundAgents(agents: readonly AgentView[]): string | undefined {
  const titles = agents.filter(({ path }) => path !== null).map(({ title }) => title);
  const last = titles.pop();
  if (last === undefined) return undefined;
  return titles.length === 0 ? `${last} is` : `${titles.join(", ")} and ${last} are`;
}

import type { PlanSummary } from "@/api/bindings";

/** The blueprint that a node names: by its id, or by its title when only one has it. Pure. */
export function findPlanByName(
  plans: readonly PlanSummary[],
  named: string,
): PlanSummary | undefined {
  const wanted = named.trim();
  if (wanted === "") return undefined;
  const byId = plans.find(({ id }) => id === wanted);
  if (byId) return byId;
  const byTitle = plans.filter(({ title }) => title.trim() === wanted);
  return byTitle.length === 1 ? byTitle[0] : undefined;
}

/** The titles of blueprints by their ids. */
export function titlesById(plans: readonly PlanSummary[] | undefined): ReadonlyMap<string, string> {
  return new Map(plans?.map(({ id, title }) => [id, title]));
}

import type { PlanSummary } from "@/api/bindings";

/** The blueprint that a node refers to: by id, or by title if it is unique. Pure. */
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

/** The titles of blueprints by id. */
export function titlesById(plans: readonly PlanSummary[] | undefined): ReadonlyMap<string, string> {
  return new Map(plans?.map(({ id, title }) => [id, title]));
}

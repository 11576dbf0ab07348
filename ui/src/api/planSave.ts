import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Backend } from "./Backend";
import type { Plan, PlanId, PlanSave, PlanSaved, PlanView } from "./bindings";
import { operationKey } from "./queries";

/** The saves of this window that are in progress. */
const pendingSaves = new WeakMap<QueryClient, Map<PlanId, Promise<void>>>();

/**
 * Saves a plan, and puts the result into the cache. The backend notifies every window of the
 * change, including this one, often before it responds; see `isOwnSave`.
 */
export function savePlan(
  backend: Pick<Backend, "call">,
  client: QueryClient,
  input: PlanSave,
): Promise<PlanSaved> {
  const plan = input.plan.id;
  const answer = backend.call("plan_save", input).then((saved) => {
    remember(client, input, saved);
    return saved;
  });
  const saves = pendingSaves.get(client) ?? new Map<PlanId, Promise<void>>();
  pendingSaves.set(client, saves);
  // The caller handles errors; here it only matters that the save has ended.
  const over = answer
    .then(
      () => undefined,
      () => undefined,
    )
    .finally(() => {
      if (saves.get(plan) === over) saves.delete(plan);
    });
  saves.set(plan, over);
  return answer;
}

/** Returns the cache keys of a plan's content. */
export function contentKeys(plan: PlanId): QueryKey[] {
  // A layout change replaces the version in place.
  return [operationKey("plan_get", { plan }), ["plan_version_get", { plan }]];
}

/** Whether the cache has the plan at that revision, as after a save by this window. */
export async function isOwnSave(
  client: QueryClient,
  plan: PlanId,
  revision: number,
): Promise<boolean> {
  await pendingSaves.get(client)?.get(plan);
  const known = client.getQueryData<{ revision: number }>(operationKey("plan_get", { plan }));
  return known !== undefined && known.revision >= revision;
}

function remember(client: QueryClient, { plan }: PlanSave, saved: PlanSaved): void {
  const { version } = saved;
  put<PlanView>(client, operationKey("plan_get", { plan: plan.id }), (known) => ({
    ...known,
    ...saved,
    plan,
  }));
  put<Plan>(client, operationKey("plan_version_get", { plan: plan.id, version }), () => plan);
}

/**
 * Updates a cached value. While a fetch is in progress, which could overwrite it with an older
 * value, the key is invalidated instead.
 */
function put<T>(client: QueryClient, queryKey: QueryKey, change: (known: T) => T): void {
  if (client.isFetching({ queryKey, exact: true }) > 0)
    void client.invalidateQueries({ queryKey, exact: true });
  else client.setQueryData<T>(queryKey, (known) => known && change(known));
}

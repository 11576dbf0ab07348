import type { PlanId, RunStateFilter, RunsSort } from "@/api/bindings";

/** Returns the address of the counted runs, or of those that match further filters. */
export type RunsAddress = (filter?: {
  plan?: PlanId;
  states?: readonly RunStateFilter[];
  sort?: RunsSort;
}) => string;

/** The states of runs that have ended, and so have a duration. */
export const endedStates: readonly RunStateFilter[] = ["completed", "failed", "cancelled"];

import { useMemo } from "react";
import { useOperation } from "@/api/queries";
import type { PlanTitles } from "./kindSummary";
import { titlesById } from "./subPlans";

/** The titles of all blueprints by id. Loaded only if `needed`. */
export function usePlanTitles(needed: boolean): PlanTitles {
  const { data } = useOperation("plans_list", {}, { enabled: needed });
  return useMemo(() => titlesById(data), [data]);
}

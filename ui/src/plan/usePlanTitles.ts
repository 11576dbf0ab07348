import { useMemo } from "react";
import { useOperation } from "@/api/queries";
import type { PlanTitles } from "./kindSummary";
import { titlesById } from "./subPlans";

/** The titles of all blueprints by id; asks for them only where a node needs one. */
export function usePlanTitles(needed: boolean): PlanTitles {
  const { data } = useOperation("plans_list", {}, { enabled: needed });
  return useMemo(() => titlesById(data), [data]);
}

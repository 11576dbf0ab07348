import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { StatisticsGet } from "@/api/bindings";
import { type DateRange, isDateRange, rangeStart } from "./dateRange";

interface StatisticsQuery {
  range: DateRange;
  /** Only runs of this blueprint are included. */
  plan: string | undefined;
  /** The query as input of the operation. */
  input: StatisticsGet;
  setRange: (range: DateRange) => void;
  setPlan: (plan: string | undefined) => void;
}

/** The filters of the page. Stored in the URL, so that links keep them. */
export function useStatisticsQuery(): StatisticsQuery {
  const [search, setSearch] = useSearchParams();
  const word = search.get("range");
  const range = isDateRange(word) ? word : "30d";
  const plan = search.get("plan") ?? undefined;
  const since = rangeStart(range, Date.now());
  return useMemo(() => {
    const change = (name: string, value: string | undefined) =>
      setSearch(
        (now) => {
          now.delete(name);
          if (value !== undefined) now.set(name, value);
          return now;
        },
        { replace: true },
      );
    return {
      range,
      plan,
      input: { since, plan: plan ?? null },
      setRange: (range) => change("range", range),
      setPlan: (plan) => change("plan", plan),
    };
  }, [range, plan, since, setSearch]);
}

import type { Retention } from "@/api/bindings";
import { formatCount, formatNumber } from "./formatCount";

/** The limits of a rule, as the backend checks them. */
export const maxKeptRuns = 100_000;
export const maxRetentionDays = 3_650;

/** The rule that keeps everything. */
export const keepAll: Retention = { keepLast: null, keepDays: null, archiveAfterDays: null };

/** Says what a rule keeps: "Keeps the newest 50 runs and those of the last 30 days." */
export function describeRetention({ keepLast, keepDays }: Retention): string {
  const last = keepLast === null ? undefined : newest(keepLast);
  const days = keepDays === null ? undefined : `of the last ${formatCount(keepDays, "day")}`;
  if (last && days) return `Keeps ${last} and those ${days}.`;
  if (last) return `Keeps ${last}.`;
  return days ? `Keeps the runs ${days}.` : "Keeps all runs.";
}

function newest(count: number): string {
  return count === 1 ? "the newest run" : `the newest ${formatNumber(count)} runs`;
}

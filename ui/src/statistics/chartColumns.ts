import type { DailyStatistics, RunCounts, UsageTotals } from "@/api/bindings";
import { addUsage, emptyUsage } from "./usage";

/** Runs and usage that started on a day, in a week or in a month. */
export interface PeriodColumn {
  /** The first day: `2026-11-21`. */
  day: string;
  /** Such as "Nov 21", "Week of Nov 16" or "Nov 2026". */
  label: string;
  runs: RunCounts;
  used: UsageTotals;
}

type Unit = "day" | "week" | "month";

const dayLength = 86_400_000;
/** More columns than this would be too narrow to tell apart. */
const maxDays = 92;
const maxWeeks = 104;

/**
 * Groups days into columns without gaps: by day, or for longer ranges by week or month. Days are
 * calendar dates in the time zone of the machine with the data, and are never converted.
 */
export function groupIntoColumns(
  days: readonly DailyStatistics[],
  first: string,
  last: string,
): PeriodColumn[] {
  const count = Math.round((utc(last) - utc(first)) / dayLength) + 1;
  const unit: Unit = count <= maxDays ? "day" : count <= maxWeeks * 7 ? "week" : "month";
  const columns = new Map<string, PeriodColumn>();
  for (let at = utc(first); at <= utc(last); at += dayLength) {
    const day = startOf(dateOf(at), unit);
    if (!columns.has(day))
      columns.set(day, { day, label: columnLabel(day, unit), runs: noRuns, used: emptyUsage });
  }
  for (const { day, runs, used } of days) {
    const column = columns.get(startOf(day, unit));
    if (!column) continue;
    column.runs = addRuns(column.runs, runs);
    column.used = addUsage(column.used, used);
  }
  return [...columns.values()];
}

/** Returns the date of a timestamp in the local time zone. */
export function formatDay(moment: number): string {
  const date = new Date(moment);
  return dateOf(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
}

function utc(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function startOf(day: string, unit: Unit): string {
  if (unit === "day") return day;
  if (unit === "month") return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(utc(day)).getUTCDay() + 6) % 7;
  return dateOf(utc(day) - weekday * dayLength);
}

function columnLabel(day: string, unit: Unit): string {
  const parts = unit === "month" ? { year: "numeric" as const } : { day: "numeric" as const };
  const date = new Date(utc(day)).toLocaleDateString("en-US", {
    month: "short",
    timeZone: "UTC",
    ...parts,
  });
  return unit === "week" ? `Week of ${date}` : date;
}

const noRuns: RunCounts = {
  running: 0,
  paused: 0,
  skippedFailures: 0,
  replanning: 0,
  stalled: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
};

function addRuns(one: RunCounts, other: RunCounts): RunCounts {
  const sum = { ...one };
  for (const state of Object.keys(sum) as (keyof RunCounts)[]) sum[state] += other[state];
  return sum;
}

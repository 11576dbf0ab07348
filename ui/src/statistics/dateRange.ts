/** The range of run start dates that is included. */
export type DateRange = "7d" | "30d" | "90d" | "all";

export const dateRanges: { id: DateRange; label: string }[] = [
  { id: "7d", label: "7 days" },
  { id: "30d", label: "30 days" },
  { id: "90d", label: "90 days" },
  { id: "all", label: "All time" },
];

const days = { "7d": 7, "30d": 30, "90d": 90 } as const;

export function isDateRange(word: string | null): word is DateRange {
  return dateRanges.some(({ id }) => id === word);
}

/** Returns the start of the first day of a range that ends today, or null for all time. */
export function rangeStart(range: DateRange, now: number): number | null {
  if (range === "all") return null;
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - (days[range] - 1));
  return day.getTime();
}

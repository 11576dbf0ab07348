import type { RunStateFilter, RunsPageQuery, RunsSort, StartedByFilter } from "@/api/bindings";

/** Search, filters and sort order of the Runs page. Stored in the URL, so that a filter is a link. */
export interface RunsQuery {
  text: string;
  states: readonly RunStateFilter[];
  plan: string | undefined;
  startedBy: StartedByFilter | undefined;
  period: Period | StartDay | undefined;
  sort: RunsSort;
}

/** `last_night` is since yesterday, 18:00. */
export type Period = "last_night" | "day" | "week" | "month";

/** A local day, such as `2026-11-20`: runs that started on it or later. Statistics link with it. */
export type StartDay = `${number}-${number}-${number}`;

export const runStates: readonly RunStateFilter[] = [
  "running",
  "paused",
  "replanning",
  "stalled",
  "completed",
  "failed",
  "cancelled",
];
export const starters: readonly StartedByFilter[] = ["person", "session", "program", "run"];
export const periods: readonly Period[] = ["last_night", "day", "week", "month"];
export const runsSorts: readonly RunsSort[] = ["newest", "oldest", "longest", "costliest"];

export const defaultRunsQuery: RunsQuery = {
  text: "",
  states: [],
  plan: undefined,
  startedBy: undefined,
  period: undefined,
  sort: "newest",
};

/** Parses the query from the URL. Invalid values are ignored. */
export function parseRunsQuery(address: URLSearchParams): RunsQuery {
  const states = (address.get("state") ?? "").split(",");
  return {
    text: address.get("q") ?? "",
    states: runStates.filter((state) => states.includes(state)),
    plan: address.get("plan") || undefined,
    startedBy: starters.find((starter) => starter === address.get("by")),
    period: parsePeriod(address.get("period")),
    sort: runsSorts.find((sort) => sort === address.get("sort")) ?? defaultRunsQuery.sort,
  };
}

function parsePeriod(word: string | null): RunsQuery["period"] {
  if (word !== null && isStartDay(word)) return word;
  return periods.find((period) => period === word);
}

export function isStartDay(word: string): word is StartDay {
  const date = new Date(`${word}T00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(word) || Number.isNaN(date.getTime())) return false;
  // February 30 is read as a day in March.
  return date.toISOString().startsWith(word);
}

/** Returns the search parameters of a query. Default values are omitted. */
export function runsSearchParams(query: RunsQuery): URLSearchParams {
  const { text, states, plan, startedBy, period, sort } = query;
  const words = {
    q: text,
    state: states.join(","),
    plan,
    by: startedBy,
    period,
    sort: sort === defaultRunsQuery.sort ? undefined : sort,
  };
  return new URLSearchParams(
    Object.entries(words).flatMap(([name, word]) => (word ? [[name, word]] : [])),
  );
}

/** Returns whether the query may exclude any run. */
export function isNarrowed(query: RunsQuery): boolean {
  return runsSearchParams({ ...query, sort: defaultRunsQuery.sort }).size > 0;
}

const day = 24 * 60 * 60 * 1_000;

/** Returns when a period began, in milliseconds since 1970. */
export function periodStart(period: Period | StartDay, now: number): number {
  if (isStartDay(period)) return new Date(`${period}T00:00`).getTime();
  if (period !== "last_night") return now - { day, week: 7 * day, month: 30 * day }[period];
  const evening = new Date(now);
  // By the calendar, because a day with a clock change doesn't have 24 hours.
  evening.setDate(evening.getDate() - 1);
  evening.setHours(18, 0, 0, 0);
  return evening.getTime();
}

/** The query of the backend, without the cursor. */
export function toRunsPageQuery(query: RunsQuery, now: number): Omit<RunsPageQuery, "after"> {
  return {
    plan: query.plan ?? null,
    states: [...query.states],
    startedBy: query.startedBy ?? null,
    search: query.text.trim(),
    since: query.period ? periodStart(query.period, now) : null,
    until: null,
    sort: query.sort,
    limit: 100,
  };
}

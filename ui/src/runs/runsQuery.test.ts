import { expect, test } from "vitest";
import {
  defaultRunsQuery,
  isNarrowed,
  parseRunsQuery,
  periodStart,
  type RunsQuery,
  runsSearchParams,
  toRunsPageQuery,
} from "./runsQuery";

test.each<Partial<RunsQuery>>([
  {},
  { text: "flaky & slow" },
  { states: ["paused", "failed"] },
  { plan: "p1", startedBy: "program", period: "last_night", sort: "costliest" },
  { period: "2026-11-20" },
])("a query survives the URL: %j", (part) => {
  const query = { ...defaultRunsQuery, ...part };
  expect(parseRunsQuery(new URLSearchParams(runsSearchParams(query).toString()))).toEqual(query);
});

test.each(["2026-13-40", "2026-02-30", "2026-1-2", "20261120"])("%s is not a day", (period) => {
  expect(parseRunsQuery(new URLSearchParams({ period })).period).toBeUndefined();
});

test("a day begins at midnight, where the person is", () => {
  expect(periodStart("2026-11-20", 0)).toBe(new Date(2026, 10, 20).getTime());
});

test("invalid values of the URL are ignored", () => {
  const address = new URLSearchParams("state=failed,odd&by=nobody&period=always&sort=best&plan=");
  expect(parseRunsQuery(address)).toEqual({ ...defaultRunsQuery, states: ["failed"] });
});

test("a sort order alone excludes nothing", () => {
  expect(isNarrowed({ ...defaultRunsQuery, sort: "longest" })).toBe(false);
  expect(isNarrowed({ ...defaultRunsQuery, states: ["failed"] })).toBe(true);
});

test("last night began yesterday at 18:00", () => {
  const now = new Date(2026, 2, 1, 9, 30).getTime();
  expect(periodStart("last_night", now)).toBe(new Date(2026, 1, 28, 18).getTime());
});

test("the backend gets the trimmed search and the start of the period", () => {
  const query = { ...defaultRunsQuery, text: " slow ", period: "day" as const };
  expect(toRunsPageQuery(query, 90_000_000)).toMatchObject({ search: "slow", since: 3_600_000 });
});

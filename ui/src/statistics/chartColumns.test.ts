import { expect, test } from "vitest";
import { formatDay, groupIntoColumns } from "./chartColumns";
import { dayFigures } from "./statisticsFixture";

test("days without runs have a column", () => {
  const columns = groupIntoColumns(
    [dayFigures("2026-11-19", { completed: 2 })],
    "2026-11-18",
    "2026-11-20",
  );
  expect(columns.map(({ label, runs }) => [label, runs.completed])).toEqual([
    ["Nov 18", 0],
    ["Nov 19", 2],
    ["Nov 20", 0],
  ]);
});

test("long ranges are grouped by week, then by month", () => {
  const days = [
    dayFigures("2026-11-15", { failed: 1 }),
    dayFigures("2026-11-16", { failed: 2 }),
    dayFigures("2026-11-21", { failed: 4 }),
  ];
  const weeks = groupIntoColumns(days, "2026-07-01", "2026-11-21");
  expect(weeks.slice(-2).map(({ label, runs }) => [label, runs.failed])).toEqual([
    ["Week of Nov 9", 1],
    ["Week of Nov 16", 6],
  ]);
  const months = groupIntoColumns(days, "2023-02-10", "2026-11-21");
  expect(months).toHaveLength(46);
  expect(months.at(-1)).toMatchObject({ label: "Nov 2026", runs: { failed: 7 } });
});

test("unreported values stay unknown in grouped columns", () => {
  const unreported = { sessions: 1, tokens: null, withoutTokens: 1, usd: null, withoutUsd: 1 };
  const reported = { ...unreported, usd: 0.5, withoutUsd: 0 };
  const columns = (...used: (typeof unreported | typeof reported)[]) =>
    groupIntoColumns(
      used.map((used, at) => ({ ...dayFigures(`2026-01-0${at + 1}`, {}), used })),
      "2025-01-01",
      "2026-12-31",
    ).filter(({ used }) => used.sessions > 0);
  expect(columns(unreported, unreported)[0]?.used).toMatchObject({
    sessions: 2,
    usd: null,
    tokens: null,
  });
  expect(columns(unreported, reported)[0]?.used).toMatchObject({ usd: 0.5, withoutUsd: 1 });
});

test("a timestamp belongs to the local day", () => {
  expect(formatDay(new Date(2026, 10, 21, 0, 1).getTime())).toBe("2026-11-21");
  expect(formatDay(new Date(2026, 10, 21, 23, 59).getTime())).toBe("2026-11-21");
});

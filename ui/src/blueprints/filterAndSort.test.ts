import { describe, expect, test } from "vitest";
import type { PlanSummary, RunSummary } from "@/api/bindings";
import { runSummaryOf, summaryOf } from "@/plan/planSummaryFixture";
import { type Filter, filterAndSortPlans, nextSort, type Sort } from "./filterAndSort";

const running = { state: "running", ending: null } as const;

function withRun(id: string, run: Partial<RunSummary>): PlanSummary {
  return summaryOf(id, { review: "approved", lastRun: runSummaryOf(id, run) });
}

const plans = [
  withRun("works", { state: running, endedAt: null, attendance: { where: "here" }, startedAt: 3 }),
  withRun("asks", { state: running, endedAt: null, attendance: { where: "here" }, startedAt: 5 }),
  withRun("abandoned", {
    state: running,
    endedAt: null,
    attendance: { where: "none" },
    startedAt: 1,
  }),
  withRun("failed", { state: { state: "failed", message: "" }, startedAt: 2 }),
  withRun("stalled", { state: { state: "stalled", message: "" }, endedAt: null, startedAt: 4 }),
  withRun("completed", { startedAt: 6 }),
  summaryOf("draft", {
    title: "Größe 10",
    description: "Report",
    cwd: "/srv/builds",
    tags: ["Weekly"],
  }),
];
const archived = summaryOf("archived", { archivedAt: 1, description: "Report" });
const facts = { waitingRuns: new Set(["run of asks"]), starred: new Set(["failed", "draft"]) };

function ids(query: { search?: string; filter?: Filter; sort?: Sort }): string[] {
  const whole = { search: query.search ?? "", filter: query.filter, sort: query.sort };
  return filterAndSortPlans([...plans, archived], whole, facts).map(({ id }) => id);
}

test.each<[Filter, string[]]>([
  ["running", ["works", "asks"]],
  ["needsPerson", ["asks", "abandoned", "failed", "stalled"]],
  ["drafts", ["draft"]],
  ["starred", ["failed", "draft"]],
  ["archived", ["archived"]],
])("filter %s returns %j", (filter, expected) => {
  expect(ids({ filter })).toEqual(expected);
});

test.each([
  ["GRÖSSE", []],
  ["größe", ["draft"]],
  ["report weekly", ["draft"]],
  ["report", ["draft"]],
  ["weekly nothing", []],
  ["/srv/b", ["draft"]],
  ["  ", plans.map(({ id }) => id)],
])("search %j returns %j", (search, expected) => {
  expect(ids({ search })).toEqual(expected);
});

describe("order", () => {
  test("a plan without a value sorts last in both directions", () => {
    expect(ids({ sort: { column: "lastRun", direction: "ascending" } }).at(-1)).toBe("draft");
    expect(ids({ sort: { column: "lastRun", direction: "descending" } })).toEqual([
      "completed",
      "asks",
      "stalled",
      "works",
      "failed",
      "abandoned",
      "draft",
    ]);
  });

  test("starred plans sort first and cannot be reversed", () => {
    const sort = nextSort(undefined, "starred");
    expect(ids({ ...(sort && { sort }) })).toEqual([
      "failed",
      "draft",
      "works",
      "asks",
      "abandoned",
      "stalled",
      "completed",
    ]);
    expect(nextSort(sort, "starred")).toBeUndefined();
  });

  test("numbers in titles sort numerically", () => {
    const titled = ["Plan 10", "plan 9", "Plan 1"].map((title) => summaryOf(title, { title }));
    const sort = { column: "title", direction: "ascending" } as const;
    const order = filterAndSortPlans(titled, { search: "", filter: undefined, sort }, facts);
    expect(order.map(({ id }) => id)).toEqual(["Plan 1", "plan 9", "Plan 10"]);
  });

  test("a column header cycles back to the default order", () => {
    const once = nextSort(undefined, "title");
    const twice = nextSort(once, "title");
    expect([once?.direction, twice?.direction]).toEqual(["ascending", "descending"]);
    expect(nextSort(twice, "title")).toBeUndefined();
    expect(nextSort(once, "lastRun")).toEqual({ column: "lastRun", direction: "descending" });
  });
});

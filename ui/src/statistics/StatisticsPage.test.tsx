import { configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { Statistics } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";
import { summaryOf } from "@/plan/planSummaryFixture";
import type { FakeAnswers } from "@/shell/renderWithBackend";
import { formatDay } from "./chartColumns";
import { rangeStart } from "./dateRange";
import { dayFigures, runCounts, statisticsOf } from "./statisticsFixture";

// Pages are loaded lazily, which is slow while other tests run.
configure({ asyncUtilTimeout: 5_000 });
vi.setConfig({ testTimeout: 20_000 });
// axe uses a canvas to detect icon fonts, which jsdom does not support.
vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

const attempts = { live: 0, succeeded: 3, failed: 1, cancelled: 0, lost: 1 };
const durations = { count: 4, meanMs: 65_000, medianMs: 4_200 };
const tokens = { input: 1_000, output: 200, cacheRead: 9_000, cacheWrite: 0 };
const used = { sessions: 5, tokens, withoutTokens: 1, usd: null, withoutUsd: 5 };
// Always the same day, also when tests run across midnight.
const now = new Date(2026, 10, 21, 12).getTime();
vi.spyOn(Date, "now").mockReturnValue(now);
const today = formatDay(now);

const week = statisticsOf({
  runs: runCounts({ completed: 3, failed: 1, running: 1 }),
  completionRate: 0.75,
  runDurations: durations,
  plans: { ...statisticsOf().plans, meanNodes: 2.5, medianNodes: 2, mostNodes: 7 },
  kinds: [
    { kind: "agent", attempts, durations, failures: [] },
    {
      kind: "command",
      attempts: { ...attempts, lost: 0 },
      durations,
      failures: [
        {
          ...{ reason: "ended with exit code 1", count: 2, latest: "ended with exit code 1" },
          latestNode: { run: "r2", node: "lint" },
        },
      ],
    },
    { kind: null, attempts, durations: null, failures: [] },
  ],
  agents: [
    {
      agent: "claude",
      attempts,
      durations,
      used,
      failures: [
        {
          ...{ reason: "the agent reported", count: 1, latest: "the agent reported: no key" },
          latestNode: { run: "r1", node: "plan" },
        },
      ],
    },
  ],
  byPlan: [{ plan: "a", title: "Release", runs: runCounts({ completed: 3 }), durations, used }],
  days: [{ ...dayFigures(today, { completed: 3, failed: 1, running: 1 }), used }],
  used,
});

function open(
  answer: FakeAnswers["statistics_get"],
  address = "/statistics",
  answers: FakeAnswers = {},
) {
  return renderApp(address, {
    plans_list: () => [summaryOf("a", { title: "Release" }), summaryOf("b")],
    ...(answer && { statistics_get: answer }),
    ...answers,
  });
}

async function faults(): Promise<string[]> {
  // Color contrast is checked in a real browser.
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  return violations.map(({ id, help }) => `${id}: ${help}`);
}

/** Returns the value and note of a summary tile. */
async function tile(name: string): Promise<string> {
  const term = await screen.findByText(name, { selector: "dt" });
  return [...(term.parentElement?.querySelectorAll("dd") ?? [])]
    .map((part) => part.textContent)
    .join(", ");
}

function chartOf(name: string): HTMLElement {
  return screen.getByRole("slider", { name });
}

test("shows the figures, and unreported values are not 0", async () => {
  open(() => week);
  expect(await tile("Runs")).toBe("5, 1 in progress");
  expect(await tile("Completed")).toBe("75%, of 4 finished runs");
  expect(await tile("Run time")).toBe("4.2 s, median elapsed; mean 1m 05s");
  expect(await tile("Cost")).toBe("unknown, 5 of 5 sessions not reported");
  expect(await tile("Tokens")).toBe("10.2k, 1 of 5 sessions not reported");
  const row = within(screen.getByRole("table", { name: "Attempts by agent" })).getByRole("row", {
    name: /^claude/,
  });
  expect(
    within(row)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  ).toEqual(["claude", "", "5", "3", "1", "1", "4.2 s", "1m 05s", "10.2k+", "unknown"]);
  expect(within(row).getByRole("img")).toHaveAccessibleName("5 attempts: 3 done, 1 failed, 1 lost");
  const kinds = screen.getByRole("table", { name: "Attempts by kind" });
  expect(within(kinds).getByRole("row", { name: /^No longer in the blueprint/ })).toBeVisible();
  const why = screen.getByRole("region", { name: "Why attempts failed" });
  expect(
    within(why)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["1The agent reported.Latest: no key", "2Ended with exit code 1.Show latest"]);
  expect(screen.getByRole("link", { name: "Release" })).toHaveAttribute("href", "/blueprints/a");
  expect(screen.getByRole("link", { name: "Statistics" })).toHaveAttribute("aria-current", "page");
  expect(await faults()).toEqual([]);
});

/** Where a link leads: the path, and the parameters by name. */
function targetOf(name: string | RegExp): { path: string; search: Record<string, string> } {
  const address = screen.getByRole("link", { name }).getAttribute("href") ?? "";
  const { pathname, searchParams } = new URL(address, "http://baton");
  return { path: pathname, search: Object.fromEntries(searchParams) };
}

test("each figure of runs leads to these runs, in the same period", async () => {
  const plan = { plan: "a", title: "Release", runs: runCounts({ completed: 2, failed: 1 }) };
  const paid = { ...used, usd: 1.5, withoutUsd: 0 };
  open(() => ({ ...week, byPlan: [{ ...plan, durations, used: paid }] }), "/statistics?range=7d");
  await tile("Runs");
  const period = formatDay(rangeStart("7d", now) ?? 0);
  const ended = "completed,failed,cancelled";
  const expected: [string | RegExp, Record<string, string>][] = [
    ["Runs: 5", {}],
    ["Completed: 75%", { state: "completed" }],
    ["Run time: 4.2 s", { state: ended, sort: "longest" }],
    ["Cost: unknown", { sort: "costliest" }],
    ["3 runs of Release", { plan: "a" }],
    ["2 completed runs of Release", { plan: "a", state: "completed" }],
    ["1 failed run of Release", { plan: "a", state: "failed" }],
    ["4.2 s: longest runs of Release", { plan: "a", state: ended, sort: "longest" }],
    ["$1.50: costliest runs of Release", { plan: "a", sort: "costliest" }],
  ];
  for (const [name, search] of expected)
    expect(targetOf(name), String(name)).toEqual({ path: "/runs", search: { ...search, period } });
  expect(targetOf("Blueprints: 0").path).toBe("/blueprints");
  expect(await faults()).toEqual([]);
});

test("the runs of one blueprint of all time have no period", async () => {
  open(() => week, "/statistics?range=all&plan=b");
  await tile("Runs");
  expect(targetOf("Runs: 5")).toEqual({ path: "/runs", search: { plan: "b" } });
});

test("each reason leads to the node that failed last, unless it was a planner's", async () => {
  const [command] = week.kinds.filter(({ kind }) => kind === "command");
  const planner = { ...{ reason: "no plan", count: 1, latest: "no plan: odd" }, latestNode: null };
  const agents = week.agents.map((agent) => ({
    ...agent,
    failures: [...agent.failures, planner],
  }));
  open(() => ({ ...week, agents, kinds: command ? [command] : [] }));
  await tile("Runs");
  expect(targetOf("Latest: no key")).toEqual({ path: "/runs/r1", search: { node: "plan" } });
  expect(targetOf("Show latest: Ended with exit code 1.")).toEqual({
    path: "/runs/r2",
    search: { node: "lint" },
  });
  expect(screen.getByText("Latest: odd").closest("a")).toBeNull();
});

test("takeover rates appear after the first takeover", async () => {
  const takeovers = {
    ...{ count: 4, runs: 3, displaced: 1, inheritedWhole: 3, meanRecoveryMs: 121_000 },
    ...{ takeoverRate: 0.6, displacementRate: 0.25, inheritedWholeRate: 0.75 },
  };
  open(() => ({ ...week, takeovers }));
  expect(await tile("Takeovers")).toMatch(/^4, after 2m 01s/);
  expect(await tile("Takeover rate")).toBe("60%, of runs");
  expect(await tile("Premature takeovers")).toMatch(/^25%/);
  expect(await tile("No sessions lost")).toBe("75%, of takeovers kept all sessions");
});

test("arrow keys move over columns and announce them", async () => {
  open(() => week);
  const chart = await screen.findByRole("slider", { name: "Runs" });
  expect(chart).toHaveAttribute("aria-valuetext", "5 runs: 3 completed, 1 failed, 1 running");
  chart.focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(/: 5 runs: 3 completed/));
  await userEvent.keyboard("{ArrowLeft}");
  expect(chart).toHaveAttribute("aria-valuetext", expect.stringMatching(/: 0 runs$/));
  expect(screen.getByText(/: 0 runs$/), "visible, not only announced").toBeVisible();
  await userEvent.keyboard("{Home}");
  expect(chart).toHaveAttribute("aria-valuenow", "0");
  await userEvent.keyboard("{End}");
  expect(chart).toHaveAttribute("aria-valuenow", "29");
});

test("shows tokens when costs are unknown, and can switch", async () => {
  open(() => week);
  const chart = await screen.findByRole("slider", { name: "Tokens" });
  expect(chart).toHaveAttribute("aria-valuetext", "10.2k, 1 of 5 sessions not reported");
  await userEvent.click(screen.getByRole("radio", { name: "Cost" }));
  expect(screen.getByRole("slider", { name: "Cost" })).toHaveAttribute(
    "aria-valuetext",
    "unknown, 5 of 5 sessions not reported",
  );
  expect(
    document.querySelectorAll('[data-part="cost"]'),
    "unknown values have no column",
  ).toHaveLength(0);
  expect(
    chartOf("Cost").querySelectorAll('[data-part="unreported"]'),
    "but a mark on that day",
  ).toHaveLength(1);
});

test("range and blueprint filters are stored in the URL", async () => {
  const { asked, router } = open(() => week);
  await tile("Runs");
  const [first] = asked("statistics_get") as { since: number; plan: string | null }[];
  expect(first?.plan).toBeNull();
  await userEvent.click(screen.getByRole("radio", { name: "All time" }));
  await waitFor(() => expect(asked("statistics_get").at(-1)).toEqual({ since: null, plan: null }));
  await userEvent.click(screen.getByRole("combobox", { name: "Blueprint" }));
  await userEvent.click(await screen.findByRole("option", { name: "Release" }));
  await waitFor(() => expect(asked("statistics_get").at(-1)).toEqual({ since: null, plan: "a" }));
  expect(router.state.location.search).toBe("?range=all&plan=a");
});

test("a finished run is counted immediately", async () => {
  const shown: { figures: Statistics } = { figures: week };
  const { tell } = open(() => shown.figures);
  expect(await tile("Runs")).toMatch(/^5/);
  shown.figures = { ...week, runs: runCounts({ completed: 6 }) };
  tell({ change: "run", run: "run", plan: "a", nodes: [], whole: true });
  await waitFor(async () => expect(await tile("Runs")).toBe("6, All finished"));
});

test("an empty range offers a longer one", async () => {
  const { router } = open(
    ({ since, plan }) => (since === null && plan === null ? week : statisticsOf()),
    "/statistics?plan=b",
  );
  expect(await screen.findByText("No runs in this period")).toBeVisible();
  expect(await faults()).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Show all time" }));
  expect(await screen.findByText("This blueprint hasn't run yet")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Show all blueprints" }));
  expect(await tile("Runs")).toMatch(/^5/);
  expect(router.state.location.search).toBe("?range=all");
});

test("shows an empty state before the first run", async () => {
  open(() => statisticsOf());
  expect(await screen.findByText("No runs yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Open blueprints" })).toHaveAttribute(
    "href",
    "/blueprints",
  );
  expect(await faults()).toEqual([]);
});

test("a failure to load statistics can be retried", async () => {
  const broken = { is: true };
  open(() => {
    if (broken.is) throw new ApiError("unavailable", "The disk does not answer. Check it.");
    return week;
  });
  expect(await screen.findByText("Couldn't load the statistics")).toBeVisible();
  expect(screen.getByText("The disk does not answer. Check it.")).toBeVisible();
  broken.is = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await tile("Runs")).toMatch(/^5/);
});

test("shows a skeleton while loading", async () => {
  open(undefined, "/statistics", {
    statistics_get: () => new Promise(() => {}) as never,
  });
  expect(await screen.findByRole("status", { name: "Loading statistics" })).toBeVisible();
  expect(await faults()).toEqual([]);
});

test("shows why people rejected, how often they replanned, and which tools were missing", async () => {
  const planning = {
    rejections: [
      { reason: "missing_check", count: 3 },
      { reason: null, count: 1 },
    ],
    replans: 2,
    acceptedReplans: 1,
    toolGaps: [{ tool: "mcp__github__create_issue", asked: 4 }],
  } satisfies Statistics["planning"];
  renderApp("/statistics", { statistics_get: () => ({ ...week, planning }) });
  const section = within(await screen.findByRole("region", { name: "Planning" }));
  expect(section.getByText("2 replans, 1 accepted")).toBeVisible();
  expect(section.getByText("Missing check").nextSibling).toHaveTextContent("3");
  expect(section.getByText("No reason").nextSibling).toHaveTextContent("1");
  expect(section.getByText("mcp__github__create_issue").nextSibling).toHaveTextContent("4");
});

test("rejections are counted before anything has run", async () => {
  const rejections = [{ reason: "missing_check" as const, count: 2 }];
  const planning = { ...statisticsOf().planning, rejections };
  open(() => statisticsOf({ planning }));
  expect(await screen.findByText("Missing check")).toBeVisible();
  expect(screen.getByText("Nothing ran in this period.")).toBeVisible();
});

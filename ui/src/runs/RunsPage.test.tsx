import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { RunsPageQuery } from "@/api/bindings";
import { allDone, openRunsPage, resetRunsPage, rowOf, rowWith } from "./runsPageFixture";

beforeEach(resetRunsPage);

test("a run shows its number, state, duration, cost and progress, and links to the blueprint", async () => {
  openRunsPage([rowOf(41, { nodes: { ...allDone, skippedFailures: 1 } })]);
  const link = await screen.findByRole("link", { name: "#41" });
  expect(link).toHaveAttribute("href", "/blueprints/p?run=r41");
  for (const text of ["Completed, 1 failure skipped", "1m 30s", "$0.42", "3 of 3", "You"])
    expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByText("1 run")).toHaveAttribute("role", "status");
});

test("the state of a run leads to the node that it is about", async () => {
  const running = { state: { state: "running", ending: null }, endedAt: null } as const;
  const failed = { state: { state: "failed", message: "m" } } as const;
  openRunsPage(
    [
      rowOf(4, running),
      rowOf(3, { ...failed, nodes: { ...allDone, failed: 1, skippedFailures: 1 } }),
      rowOf(2, { nodes: { ...allDone, skippedFailures: 1 } }),
      rowOf(1),
    ],
    { inbox_list: () => [{ run: "r4", ask: { kind: "input" } }] },
  );
  const waiting = await screen.findByRole("link", { name: "Waiting for you" });
  expect(waiting).toHaveAttribute("href", "/blueprints/p?run=r4&state=waiting");
  const stateOf = (number: string, name: string) =>
    within(rowWith(number)).getByRole("link", { name }).getAttribute("href");
  expect(stateOf("#3", "Failed")).toBe("/runs/r3?node=first_failed");
  expect(stateOf("#2", "Completed, 1 failure skipped")).toBe(
    "/blueprints/p?run=r2&state=failed_skipped",
  );
  expect(stateOf("#1", "Completed")).toBe("/blueprints/p?run=r1");
});

test("a question that is about no waiting node leads elsewhere", async () => {
  const running = { state: { state: "running", ending: null }, endedAt: null } as const;
  const broken = { ...allDone, failed: 1, skippedFailures: 0 };
  openRunsPage([rowOf(4, running), rowOf(3, { ...running, nodes: broken }), rowOf(2, running)], {
    inbox_list: () => [
      { run: "r4", ask: { kind: "interrupted" } },
      { run: "r3", ask: { kind: "proposal" } },
    ],
    requests_list: () => [{ of: { run: "r2" } }],
  });
  await screen.findAllByRole("link", { name: "Waiting for you" });
  const waitingOf = (number: string) =>
    within(rowWith(number)).getByRole("link", { name: "Waiting for you" }).getAttribute("href");
  expect(waitingOf("#4")).toBe("/blueprints/p?run=r4&state=interrupted");
  expect(waitingOf("#3"), "the first failure").toBe("/runs/r3?node=first_failed");
  expect(waitingOf("#2"), "a program's request").toBe("/blueprints/p?run=r2");
});

test("a run that waits for a person says so, and one without agents has no cost", async () => {
  const running = { state: { state: "running", ending: null }, endedAt: null } as const;
  const question = { run: "r2", ask: { kind: "input" } };
  openRunsPage(
    [
      rowOf(3, running),
      rowOf(2, running),
      rowOf(1, { agentsWorked: false, costUsd: null, tokens: null }),
    ],
    { inbox_list: () => [question], requests_list: () => [] },
  );
  const waiting = await screen.findByText("Waiting for you");
  expect(within(rowWith("#2")).getByText("Waiting for you")).toBe(waiting);
  expect(within(rowWith("#3")).getByText("Running")).toBeVisible();
  expect(within(rowWith("#1")).getByTitle("No agent worked in this run")).toHaveTextContent("–");
});

test("10,000 runs render only what is visible", async () => {
  openRunsPage(Array.from({ length: 10_000 }, (_, at) => rowOf(10_000 - at)));
  await screen.findByRole("link", { name: "#10000" });
  expect(screen.getByRole("grid")).toHaveAttribute("aria-rowcount", "10001");
  expect(screen.getAllByRole("row").length).toBeLessThan(80);
});

test("the filters of the URL reach the backend", async () => {
  const { asked } = openRunsPage([], {}, "/runs?plan=p&state=failed,stalled&sort=longest");
  expect(await screen.findByRole("heading", { name: "No matches" })).toBeVisible();
  expect(asked("runs_page").at(-1)).toMatchObject({
    plan: "p",
    states: ["stalled", "failed"],
    sort: "longest",
  });
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(await screen.findByRole("heading", { name: "No runs yet" })).toBeVisible();
});

test("an error can be retried", async () => {
  let fails = true;
  openRunsPage([rowOf(1)], {
    runs_page: () => {
      if (fails) throw new ApiError("unavailable", "The database is busy.");
      return { rows: [rowOf(1)], next: null, total: 1 };
    },
  });
  expect(await screen.findByText("The database is busy.")).toBeVisible();
  fails = false;
  await userEvent.click(screen.getByRole("button", { name: /again|retry/i }));
  expect(await screen.findByRole("link", { name: "#1" })).toBeVisible();
});

test("each fact of a run is a link to where it comes from", async () => {
  const parent = { run: "above", node: "outer" };
  openRunsPage([
    rowOf(41, {
      state: { state: "failed", message: "" },
      nodes: { ...allDone, failed: 2, skippedFailures: 0 },
      parent,
      keptBecause: "unmerged_worktree",
    }),
  ]);
  const linkOf = async (name: string) =>
    (await screen.findByRole("link", { name })).getAttribute("href");
  expect(await linkOf("$0.42")).toBe("/runs/r41?node=costliest");
  expect(await linkOf("2 failed")).toBe("/runs/r41?node=first_failed");
  expect(await linkOf("Failed")).toBe("/runs/r41?node=first_failed");
  expect(await linkOf("Another run")).toBe("/runs/above?node=outer");
  expect(await linkOf("3 of 3")).toBe("/blueprints/p?run=r41");
  const kept = "Can't be deleted: its worktree has work that isn't merged";
  expect(screen.getByRole("img", { name: kept })).toBeVisible();
});

test("the run of an error handler links to the failed run", async () => {
  const handles = { run: "r41", plan: "p0", number: 41, title: "Nightly" };
  const actor = "baton";
  openRunsPage([
    rowOf(2, { actor, handles }),
    rowOf(1, { actor, handles: { ...handles, isDeleted: true } }),
  ]);
  const text = "After the failure of #41 of Nightly";
  const links = await screen.findAllByRole("link", { name: text });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/blueprints/p0?run=r41"]);
  expect(screen.getAllByText(text)).toHaveLength(2);
});

test("a day of the URL is a period to choose, until another one is chosen", async () => {
  const { asked } = openRunsPage([rowOf(1)], {}, "/runs?period=2026-11-20");
  const period = await screen.findByRole("combobox", { name: "Period" });
  expect(period).toHaveTextContent("Since Nov 20, 2026");
  expect(asked("runs_page").at(-1)).toMatchObject({ since: new Date(2026, 10, 20).getTime() });
  await userEvent.click(period);
  await userEvent.click(await screen.findByRole("option", { name: "Any time" }));
  await waitFor(() => expect(asked("runs_page").at(-1)).toMatchObject({ since: null }));
  expect(period).toHaveTextContent("Any time");
});

test("typing searches once, and the runs stay until the answer is there", async () => {
  let answer: (page: unknown) => void = () => undefined;
  const { asked } = openRunsPage([rowOf(1)], {
    runs_page: ({ search }: RunsPageQuery) =>
      search === ""
        ? { rows: [rowOf(1)], next: null, total: 1 }
        : new Promise((resolve) => {
            answer = resolve;
          }),
  });
  await screen.findByRole("link", { name: "#1" });
  await userEvent.type(screen.getByRole("searchbox", { name: "Search runs" }), "slow");
  await waitFor(() => expect(asked("runs_page").at(-1)).toMatchObject({ search: "slow" }));
  expect(asked("runs_page").length, "not one search a letter").toBeLessThan(4);
  expect(screen.getByRole("link", { name: "#1" })).toBeVisible();
  expect(screen.getByRole("grid")).toHaveAttribute("aria-busy", "true");
  answer({ rows: [rowOf(2)], next: null, total: 1 });
  expect(await screen.findByRole("link", { name: "#2" })).toBeVisible();
  expect(screen.getByText("1 match")).toHaveAttribute("role", "status");
});

test("a view is saved, renamed and deleted", async () => {
  const { asked } = openRunsPage([rowOf(1)]);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Needs attention" }));
  const states = ["paused", "stalled", "failed"];
  await waitFor(() => expect(asked("runs_page").at(-1)).toMatchObject({ states }));
  await user.type(screen.getByRole("searchbox", { name: "Search runs" }), "nightly");
  const openMenu = async () => user.click(screen.getByRole("button", { name: "Views" }));
  await waitFor(() => expect(asked("runs_page").at(-1)).toMatchObject({ search: "nightly" }));
  await openMenu();
  await user.click(await screen.findByRole("menuitem", { name: "Save these filters as a view…" }));
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "Nightly trouble{Enter}");
  const view = await screen.findByRole("button", { name: "Nightly trouble" });
  expect(view).toHaveAttribute("aria-pressed", "true");
  await openMenu();
  await user.click(await screen.findByRole("menuitem", { name: "Rename “Nightly trouble”…" }));
  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(name);
  await user.type(name, "Nightly{Enter}");
  await user.click(await screen.findByRole("button", { name: "All" }));
  await user.click(screen.getByRole("button", { name: "Nightly" }));
  await waitFor(() => expect(asked("runs_page").at(-1)).toMatchObject({ search: "nightly" }));
  await openMenu();
  await user.click(await screen.findByRole("menuitem", { name: "Delete “Nightly”" }));
  expect(screen.queryByRole("button", { name: "Nightly" })).toBeNull();
});

test("a run with pinned outputs is marked", async () => {
  openRunsPage([rowOf(2, { pinnedNodes: 3 }), rowOf(1)]);
  const marks = await screen.findAllByRole("img", { name: "Pinned outputs" });
  expect(marks.map((mark) => mark.closest("[role=row]")?.id)).toEqual(["run-r2"]);
});

test("a note on a run is shown beside its blueprint, and N edits it", async () => {
  const notes = { starred: true, tags: ["kept"], notes: "flaky runner" };
  const { asked } = openRunsPage([rowOf(2), rowOf(1)], {
    enrichments_get: () => ({ plans: {}, nodes: {}, sessions: {}, runs: { r1: notes } }),
    enrichment_save: () => ({ plans: {}, nodes: {}, sessions: {}, runs: {} }),
  });
  await screen.findByText("flaky runner");
  expect(within(rowWith("#1")).getByText("flaky runner")).toBeVisible();
  expect(within(rowWith("#2")).queryByText("flaky runner")).toBeNull();

  act(() => screen.getByRole("grid").focus());
  await userEvent.keyboard("{End}n");
  const dialog = await screen.findByRole("dialog", { name: "Note" });
  expect(dialog).toHaveAccessibleDescription("Run #1 of “Release”");
  const field = within(dialog).getByRole("textbox", { name: "Note" });
  expect(field).toHaveValue("flaky runner");
  await userEvent.type(field, " again{Control>}{Enter}{/Control}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("enrichment_save")).toEqual([
    { subject: "run", id: "r1", enrichment: { ...notes, notes: "flaky runner again" } },
  ]);
  await waitFor(() => expect(screen.getByRole("grid")).toHaveFocus());
});

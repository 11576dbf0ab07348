import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { RunsPageQuery, RunsPageRow } from "@/api/bindings";
import type { OperationName } from "@/api/operation";
import { useToasts } from "@/components/toasts";
import { resetAppState } from "@/shell/appState";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { RunsPage } from "./RunsPage";
import { useHiddenRuns } from "./runDeletion";

const nodes = { total: 3, done: 3, failed: 0, skipped: 0, waiting: 0, running: 0 };

function rowOf(number: number, more: Partial<RunsPageRow> = {}): RunsPageRow {
  return {
    id: `r${number}`,
    number,
    plan: "p",
    title: "Release",
    version: 1,
    state: { state: "completed" },
    actor: "person:window",
    parent: null,
    startedAt: 0,
    endedAt: 90_000,
    elapsedMs: 90_000,
    nodes: { ...nodes, skippedFailures: 0 },
    costUsd: 0.42,
    tokens: 1_200,
    agentsWorked: true,
    unverified: 0,
    damage: null,
    keptBecause: null,
    ...more,
  };
}

beforeEach(() => {
  resetAppState();
  useToasts.setState({ toasts: [] });
  useHiddenRuns.setState({ ids: new Set(), deleted: new Set() });
  vi.restoreAllMocks();
  mockElementSizes();
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(560);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(1_000);
});

function open(rows: RunsPageRow[], more: Record<string, unknown> = {}, address = "/runs") {
  const answers = {
    plans_list: () => [],
    inbox_list: () => [],
    requests_list: () => [],
    runs_page: ({ after, limit }: RunsPageQuery) => {
      const from = Number(after ?? 0);
      const next = from + limit < rows.length ? String(from + limit) : null;
      return { rows: rows.slice(from, from + limit), next, total: rows.length };
    },
    ...more,
  };
  const made = fakeBackend(answers as Parameters<typeof fakeBackend>[0]);
  renderAtPath(made.backend, <RunsPage />, "/runs", address);
  return { asked: (name: string) => made.inputsOf(name as OperationName) };
}

function rowWith(number: string): HTMLElement {
  const row = screen.getByRole("link", { name: number }).closest('[role="row"]');
  if (!(row instanceof HTMLElement)) throw new Error(`no row ${number}`);
  return row;
}

test("a run shows its number, state, duration, cost and progress, and links to the blueprint", async () => {
  open([rowOf(41, { nodes: { ...nodes, skippedFailures: 1 } })]);
  const link = await screen.findByRole("link", { name: "#41" });
  expect(link).toHaveAttribute("href", "/blueprints/p?run=r41");
  for (const text of ["Completed, 1 failure skipped", "1m 30s", "$0.42", "3 of 3", "You"])
    expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByText("1 run")).toHaveAttribute("role", "status");
});

test("the state of a run leads to the node that it is about", async () => {
  const running = { state: { state: "running", ending: null }, endedAt: null } as const;
  const failed = { state: { state: "failed", message: "m" } } as const;
  open(
    [
      rowOf(4, running),
      rowOf(3, { ...failed, nodes: { ...nodes, failed: 1, skippedFailures: 1 } }),
      rowOf(2, { nodes: { ...nodes, skippedFailures: 1 } }),
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
  const broken = { ...nodes, failed: 1, skippedFailures: 0 };
  open([rowOf(4, running), rowOf(3, { ...running, nodes: broken }), rowOf(2, running)], {
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
  open(
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
  open(Array.from({ length: 10_000 }, (_, at) => rowOf(10_000 - at)));
  await screen.findByRole("link", { name: "#10000" });
  expect(screen.getByRole("grid")).toHaveAttribute("aria-rowcount", "10001");
  expect(screen.getAllByRole("row").length).toBeLessThan(80);
});

test("the filters of the URL reach the backend", async () => {
  const { asked } = open([], {}, "/runs?plan=p&state=failed,stalled&sort=longest");
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
  open([rowOf(1)], {
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
  open([
    rowOf(41, {
      state: { state: "failed", message: "" },
      nodes: { ...nodes, failed: 2, skippedFailures: 0 },
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
  open([
    rowOf(2, { actor, handles }),
    rowOf(1, { actor, handles: { ...handles, isDeleted: true } }),
  ]);
  const text = "After the failure of #41 of Nightly";
  const links = await screen.findAllByRole("link", { name: text });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/blueprints/p0?run=r41"]);
  expect(screen.getAllByText(text)).toHaveLength(2);
});

test("arrows move the cursor, Space selects, Shift+Space selects up to it, Escape clears", async () => {
  open([rowOf(3), rowOf(2), rowOf(1)]);
  const grid = await screen.findByRole("grid", { name: "Runs" });
  const user = userEvent.setup();
  act(() => grid.focus());
  expect(grid).toHaveAttribute("aria-activedescendant", "run-r3");
  await user.keyboard(" {ArrowDown}{ArrowDown}{Shift>} {/Shift}");
  expect(grid).toHaveAttribute("aria-activedescendant", "run-r1");
  expect(screen.getByText("3 runs selected")).toBeVisible();
  await user.keyboard("{Escape}");
  expect(screen.queryByText("3 runs selected")).toBeNull();
  await user.keyboard("{Delete}");
  expect(await screen.findByRole("alertdialog", { name: "Delete 1 run?" })).toBeVisible();
});

test("a day of the URL is a period to choose, until another one is chosen", async () => {
  const { asked } = open([rowOf(1)], {}, "/runs?period=2026-11-20");
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
  const { asked } = open([rowOf(1)], {
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

test("exactly two selected runs can be compared, the older one first", async () => {
  open([rowOf(3, { startedAt: 3 }), rowOf(2, { startedAt: 2 }), rowOf(1, { startedAt: 1 })]);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select #3 of Release" }));
  expect(screen.getByRole("button", { name: "Compare" })).toBeDisabled();
  await userEvent.click(screen.getByRole("checkbox", { name: "Select #1 of Release" }));
  expect(screen.getByRole("link", { name: "Compare" })).toHaveAttribute(
    "href",
    "/runs/compare?a=r1&b=r3",
  );
});

test("a view is saved, renamed and deleted", async () => {
  const { asked } = open([rowOf(1)]);
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

async function deleteAll(count: number) {
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select #1 of Release" }));
  await userEvent.keyboard("{Control>}a{/Control}");
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  const name = `Delete ${count} runs`;
  const dialog = await screen.findByRole("alertdialog", { name: `${name}?` });
  expect(dialog).toHaveTextContent("You can undo this for 10 seconds");
  await userEvent.click(within(dialog).getByRole("button", { name }));
}

test("selected runs disappear after a confirmation, and are deleted after the message", async () => {
  const { asked } = open([rowOf(3), rowOf(2), rowOf(1)], {
    runs_delete: () => ({ deleted: ["r3", "r2", "r1"], refused: [] }),
  });
  await deleteAll(3);
  expect(await screen.findByRole("heading", { name: "No runs yet" })).toBeVisible();
  expect(screen.getByText("0 runs")).toHaveAttribute("role", "status");
  expect(asked("runs_delete")).toEqual([]);
  const [toast] = useToasts.getState().toasts;
  act(() => useToasts.getState().dismiss(toast?.id ?? 0));
  await waitFor(() => expect(asked("runs_delete")).toEqual([{ runs: ["r3", "r2", "r1"] }]));
});

test("after all listed runs are deleted, the page's heading has the focus", async () => {
  open([rowOf(2), rowOf(1)]);
  await deleteAll(2);
  expect(await screen.findByRole("heading", { name: "No runs yet" })).toBeVisible();
  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "Runs", level: 1 })).toHaveFocus(),
  );
});

test("runs below a hidden run are hidden too", async () => {
  const below = (run: string) => ({ parent: { run, node: "outer" } });
  open([rowOf(4, below("r3")), rowOf(3, below("r2")), rowOf(2), rowOf(1)]);
  await screen.findByRole("link", { name: "#4" });
  act(() => useHiddenRuns.setState({ ids: new Set(["r2"]) }));
  expect(screen.getAllByRole("link", { name: /^#/ }).map((link) => link.textContent)).toEqual([
    "#1",
  ]);
  expect(screen.getByText("1 run")).toHaveAttribute("role", "status");
});

test("a deleted run stays hidden until the list is fetched without it", async () => {
  let rows = [rowOf(2), rowOf(1)];
  open([], { runs_page: () => ({ rows, next: null, total: rows.length }) });
  await screen.findByRole("link", { name: "#2" });
  const ids = new Set(["r2"]);
  act(() => useHiddenRuns.setState({ ids, deleted: ids }));
  expect(useHiddenRuns.getState().ids, "the list still has it").toEqual(ids);
  expect(screen.queryByRole("link", { name: "#2" })).toBeNull();
  rows = [rowOf(1)];
  await userEvent.type(screen.getByRole("searchbox", { name: "Search runs" }), "x");
  expect(await screen.findByText("1 match")).toBeVisible();
  expect(useHiddenRuns.getState().ids, "another list has it").toEqual(ids);
});

test("a deleted run that no list has is forgotten", async () => {
  open([rowOf(2), rowOf(1)]);
  await screen.findByRole("link", { name: "#2" });
  act(() => useHiddenRuns.setState({ ids: new Set(["r9"]), deleted: new Set(["r9"]) }));
  expect(useHiddenRuns.getState().ids).toEqual(new Set());
});

test("Undo brings the runs back", async () => {
  const { asked } = open([rowOf(2), rowOf(1)]);
  await deleteAll(2);
  expect(await screen.findByRole("heading", { name: "No runs yet" })).toBeVisible();
  const [toast] = useToasts.getState().toasts;
  act(() => {
    toast?.action?.onAct();
    useToasts.getState().dismiss(toast?.id ?? 0);
  });
  expect(await screen.findByRole("link", { name: "#2" })).toBeVisible();
  expect(screen.getByText("2 runs")).toHaveAttribute("role", "status");
  expect(asked("runs_delete")).toEqual([]);
});

test("runs that can't be deleted stay, with the reason", async () => {
  open([
    rowOf(3, { state: { state: "running", ending: null } }),
    rowOf(2, { keptBecause: "unmerged_worktree" }),
    rowOf(1),
  ]);
  await deleteAll(3);
  expect(await screen.findByText("#3: It hasn't ended. Stop it first.")).toBeVisible();
  const kept = "#2: Can't be deleted: its worktree has work that isn't merged.";
  expect(screen.getByText(kept)).toBeVisible();
  expect(screen.getByText("2 runs selected")).toBeVisible();
  expect(screen.queryByRole("link", { name: "#1" })).toBeNull();
  expect(useToasts.getState().toasts.map(({ title }) => title)).toEqual(["Deleting 1 run"]);
  const [toast] = useToasts.getState().toasts;
  act(() => toast?.action?.onAct());
  expect(await screen.findByRole("link", { name: "#1" })).toBeVisible();
  expect(screen.getByText("2 runs selected"), "the deleted run isn't").toBeVisible();
});

test("after all loaded runs are hidden, the next ones are loaded", async () => {
  const rows = Array.from({ length: 103 }, (_, at) => rowOf(103 - at));
  open(rows);
  await screen.findByRole("link", { name: "#103" });
  act(() => useHiddenRuns.setState({ ids: new Set(rows.slice(0, 100).map(({ id }) => id)) }));
  expect(await screen.findByRole("link", { name: "#3" })).toBeVisible();
  expect(screen.getByText("3 runs")).toHaveAttribute("role", "status");
});

test("open runs among the selected are stopped", async () => {
  const { asked } = open([rowOf(2, { state: { state: "running", ending: null } }), rowOf(1)], {
    run_cancel: () => null,
  });
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select #1 of Release" }));
  await userEvent.keyboard("{Control>}a{/Control}");
  expect(screen.getByText("2 runs selected")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Stop 1 run?" });
  expect(asked("run_cancel")).toEqual([]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Stop 1 run" }));
  await waitFor(() => expect(asked("run_cancel")).toEqual([{ run: "r2" }]));
});

test("a run with pinned outputs is marked", async () => {
  open([rowOf(2, { pinnedNodes: 3 }), rowOf(1)]);
  const marks = await screen.findAllByRole("img", { name: "Pinned outputs" });
  expect(marks.map((mark) => mark.closest("[role=row]")?.id)).toEqual(["run-r2"]);
});

test("a note on a run is shown beside its blueprint, and N edits it", async () => {
  const notes = { starred: true, tags: ["kept"], notes: "flaky runner" };
  const { asked } = open([rowOf(2), rowOf(1)], {
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

test("the bar of selected runs edits the note of one run", async () => {
  open([rowOf(2), rowOf(1)], {
    enrichments_get: () => ({ plans: {}, nodes: {}, sessions: {}, runs: {} }),
  });
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select #1 of Release" }));
  await userEvent.click(screen.getByRole("button", { name: "Add note" }));
  expect(await screen.findByRole("dialog", { name: "Note" })).toHaveAccessibleDescription(
    "Run #1 of “Release”",
  );
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("checkbox", { name: "Select #2 of Release" }));
  expect(screen.getByRole("button", { name: "Add note" })).toBeDisabled();
});

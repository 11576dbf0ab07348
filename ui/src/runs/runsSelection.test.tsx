import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { useToasts } from "@/components/toasts";
import { useHiddenRuns } from "./runDeletion";
import { openRunsPage, resetRunsPage, rowOf } from "./runsPageFixture";

beforeEach(resetRunsPage);

test("arrows move the cursor, Space selects, Shift+Space selects up to it, Escape clears", async () => {
  openRunsPage([rowOf(3), rowOf(2), rowOf(1)]);
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

test("exactly two selected runs can be compared, the older one first", async () => {
  openRunsPage([
    rowOf(3, { startedAt: 3 }),
    rowOf(2, { startedAt: 2 }),
    rowOf(1, { startedAt: 1 }),
  ]);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select #3 of Release" }));
  expect(screen.getByRole("button", { name: "Compare" })).toBeDisabled();
  await userEvent.click(screen.getByRole("checkbox", { name: "Select #1 of Release" }));
  expect(screen.getByRole("link", { name: "Compare" })).toHaveAttribute(
    "href",
    "/runs/compare?a=r1&b=r3",
  );
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
  const { asked } = openRunsPage([rowOf(3), rowOf(2), rowOf(1)], {
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
  openRunsPage([rowOf(2), rowOf(1)]);
  await deleteAll(2);
  expect(await screen.findByRole("heading", { name: "No runs yet" })).toBeVisible();
  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "Runs", level: 1 })).toHaveFocus(),
  );
});

test("runs below a hidden run are hidden too", async () => {
  const below = (run: string) => ({ parent: { run, node: "outer" } });
  openRunsPage([rowOf(4, below("r3")), rowOf(3, below("r2")), rowOf(2), rowOf(1)]);
  await screen.findByRole("link", { name: "#4" });
  act(() => useHiddenRuns.setState({ ids: new Set(["r2"]) }));
  expect(screen.getAllByRole("link", { name: /^#/ }).map((link) => link.textContent)).toEqual([
    "#1",
  ]);
  expect(screen.getByText("1 run")).toHaveAttribute("role", "status");
});

test("a deleted run stays hidden until the list is fetched without it", async () => {
  let rows = [rowOf(2), rowOf(1)];
  openRunsPage([], { runs_page: () => ({ rows, next: null, total: rows.length }) });
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
  openRunsPage([rowOf(2), rowOf(1)]);
  await screen.findByRole("link", { name: "#2" });
  act(() => useHiddenRuns.setState({ ids: new Set(["r9"]), deleted: new Set(["r9"]) }));
  expect(useHiddenRuns.getState().ids).toEqual(new Set());
});

test("Undo brings the runs back", async () => {
  const { asked } = openRunsPage([rowOf(2), rowOf(1)]);
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
  openRunsPage([
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
  openRunsPage(rows);
  await screen.findByRole("link", { name: "#103" });
  act(() => useHiddenRuns.setState({ ids: new Set(rows.slice(0, 100).map(({ id }) => id)) }));
  expect(await screen.findByRole("link", { name: "#3" })).toBeVisible();
  expect(screen.getByText("3 runs")).toHaveAttribute("role", "status");
});

test("open runs among the selected are stopped", async () => {
  const { asked } = openRunsPage(
    [rowOf(2, { state: { state: "running", ending: null } }), rowOf(1)],
    {
      run_cancel: () => null,
    },
  );
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select #1 of Release" }));
  await userEvent.keyboard("{Control>}a{/Control}");
  expect(screen.getByText("2 runs selected")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Stop 1 run?" });
  expect(asked("run_cancel")).toEqual([]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Stop 1 run" }));
  await waitFor(() => expect(asked("run_cancel")).toEqual([{ run: "r2" }]));
});

test("the bar of selected runs edits the note of one run", async () => {
  openRunsPage([rowOf(2), rowOf(1)], {
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

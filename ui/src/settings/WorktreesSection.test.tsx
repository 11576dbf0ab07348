import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Settings, WorktreeView } from "@/api/bindings";
import { renderApp } from "@/app/renderApp";

function worktreeOf(title: string, facts: Partial<WorktreeView> = {}): WorktreeView {
  return {
    place: `/data/worktrees/1/${title.toLowerCase()}`,
    plan: "plan",
    planTitle: "Release",
    run: "run",
    runExists: true,
    node: title,
    title,
    repository: "/repository",
    bytes: 2_500_000,
    standing: "home",
    ...facts,
  };
}

function open(worktrees: WorktreeView[]) {
  const settings: Settings = {
    theme: "dark",
    defaultAgent: "claude",
    takeoverAllowed: true,
    guardedTools: [],
    proposalDays: { automatic: 7, asked: 30 },
  };
  let left = worktrees;
  return renderApp("/settings", {
    settings_get: () => settings,
    teams_list: () => [],
    agents_list: () => [],
    worktrees_list: () => left,
    worktrees_remove_merged: () => {
      const gone = left.filter(({ standing }) => standing === "home");
      left = left.filter(({ standing }) => standing !== "home");
      return { removed: gone.length, kept: [], refused: [] };
    },
    worktree_remove: ({ place }) => {
      left = left.filter((each) => each.place !== place);
      return { removed: 1, kept: ["0123456789abcdef"], refused: [] };
    },
  });
}

test("worktrees are listed with their state, and merged ones are removed directly", async () => {
  open([
    worktreeOf("Parse"),
    worktreeOf("Print", { standing: "kept", runExists: false }),
    worktreeOf("Busy", { standing: "in_use" }),
  ]);
  const table = await screen.findByRole("table", { name: "Worktrees" });
  expect(within(table).getByText("Release (deleted)")).toBeVisible();
  expect(within(table).getByText("Not merged")).toBeVisible();
  expect(screen.getByRole("button", { name: "Remove worktree of Busy" })).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: "Remove 1 merged" }));
  await waitFor(() => expect(within(table).queryByText("Parse")).toBeNull());
  expect(within(table).getByText("Print")).toBeVisible();
});

test("removing a worktree explains what happens to its work", async () => {
  const { asked } = open([worktreeOf("Print", { standing: "broken" })]);
  await userEvent.click(await screen.findByRole("button", { name: "Remove worktree of Print" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog).toHaveTextContent("can't be saved first and will be lost");
  await userEvent.click(within(dialog).getByRole("button", { name: "Remove worktree" }));
  await waitFor(() =>
    expect(asked("worktree_remove")).toEqual([
      { place: "/data/worktrees/1/print", evenBroken: true },
    ]),
  );
  expect(await screen.findByText("No worktrees")).toBeVisible();
});

test("a terminal is offered where the run of the worktree still exists", async () => {
  open([
    worktreeOf("Parse", { run: "r1" }),
    worktreeOf("Print", { runExists: false }),
    worktreeOf("Merge back", { node: null }),
  ]);
  const links = await screen.findAllByRole("link", { name: /^Open terminal in the worktree of/ });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/blueprints/plan?run=r1&node=Parse",
  ]);
});

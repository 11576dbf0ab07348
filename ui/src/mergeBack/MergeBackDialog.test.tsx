import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { MergeBackView, OverlapView } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { MergeBackBanner } from "./MergeBackBanner";
import { MergeBackDialog } from "./MergeBackDialog";
import { appliedMergeOf, deltaOf, mergeBackNodeOf, mergeBackViewOf } from "./mergeBackFixture";

const base = planOf(["a", "b"], []);
const plan = { ...base, settings: { ...base.settings, isolation: "worktree" as const } };
const done = { state: "done", byHand: false } as const;

async function open(mergeBack: MergeBackView, answers: Record<string, unknown> = {}) {
  const whole = runOf(plan, { a: done, b: done });
  const run = {
    ...whole,
    summary: { ...whole.summary, state: { state: "completed" } as const },
  };
  const opened = openBlueprint(
    <>
      <MergeBackBanner />
      <MergeBackDialog />
    </>,
    {
      view: viewOf(plan, { review: "approved" }),
      run,
      answers: { run_home: mergeBack, run_overlaps: [], ...answers },
    },
  );
  return opened;
}

async function review(mergeBack: MergeBackView, answers: Record<string, unknown> = {}) {
  const opened = await open(mergeBack, answers);
  await userEvent.click(await screen.findByRole("button", { name: "Review" }));
  return { ...opened, dialog: within(await screen.findByRole("dialog")) };
}

const brought = { branch: null, files: [deltaOf("a.txt")], filesLeftOut: 0, conflict: null };

test("the banner shows how many nodes have work outside the directory", async () => {
  await open(mergeBackViewOf([mergeBackNodeOf("a", ["a.txt"]), mergeBackNodeOf("b", ["b.txt"])]));
  expect(
    await screen.findByText("The work of 2 nodes isn't in your directory."),
  ).toBeInTheDocument();
});

test("no banner if all work is merged", async () => {
  const { call } = await open(
    mergeBackViewOf([mergeBackNodeOf("a", ["a.txt"], { whereabouts: { place: "directory" } })], {
      files: [],
    }),
  );
  await waitFor(() => expect(call).toHaveBeenCalledWith("run_home", { run: "run", nodes: null }));
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
});

test("merges all work, or that of chosen nodes", async () => {
  const mergeBack = mergeBackViewOf([
    mergeBackNodeOf("a", ["a.txt"]),
    mergeBackNodeOf("b", ["b.txt"]),
  ]);
  const { call, dialog } = await review(mergeBack, { run_bring_home: brought });
  const files = dialog.getByRole("list", { name: "Files that would change" });
  expect(within(files).getAllByRole("listitem")).toHaveLength(2);
  await userEvent.click(dialog.getByRole("button", { name: "Merge back" }));
  const input = { run: "run", nodes: null, branch: null, resolution: null };
  expect(call).toHaveBeenCalledWith("run_bring_home", input);

  await userEvent.click(dialog.getByRole("checkbox", { name: "Merge the work of b" }));
  await waitFor(() => expect(call).toHaveBeenCalledWith("run_home", { run: "run", nodes: ["a"] }));
  await userEvent.click(dialog.getByRole("button", { name: "Merge back" }));
  expect(call).toHaveBeenCalledWith("run_bring_home", { ...input, nodes: ["a"] });
});

test("creates a named branch without changing the directory", async () => {
  const answer = { ...brought, files: [], branch: "mine" };
  const { call, dialog } = await review(mergeBackViewOf([mergeBackNodeOf("a", ["a.txt"])]), {
    run_bring_home: answer,
  });
  await userEvent.click(dialog.getByRole("button", { name: "Create a branch…" }));
  await userEvent.type(dialog.getByRole("textbox", { name: "Branch name" }), " mine{Enter}");
  const input = { run: "run", nodes: null, branch: "mine", resolution: null };
  await waitFor(() => expect(call).toHaveBeenCalledWith("run_bring_home", input));
});

test("obstacles are explained and disable the merge", async () => {
  const { dialog } = await review(
    mergeBackViewOf([mergeBackNodeOf("a", ["a.txt"])], {
      inTheWay: ["notes.txt"],
      atWork: ["Publish"],
    }),
  );
  expect(dialog.getByText(/notes.txt would be overwritten/)).toBeVisible();
  expect(dialog.getByText(/Publish may be working in this directory/)).toBeVisible();
  expect(dialog.getByRole("button", { name: "Merge back" })).toBeDisabled();
  expect(dialog.getByRole("button", { name: "Create a branch…" })).toBeEnabled();
});

test("a conflict can be resolved by the person or an agent", async () => {
  const conflict = {
    id: "1+2",
    ours: "the plan's directory",
    theirs: "a",
    files: [{ path: "a.txt", kind: "lines" as const }],
    place: "/data/worktrees/1/+home",
  };
  const mergeBack = mergeBackViewOf([mergeBackNodeOf("a", ["a.txt"])], { open: conflict });
  const { call, dialog } = await review(mergeBack, { run_bring_home: brought, run_home_agent: {} });
  expect(dialog.getByText("/data/worktrees/1/+home")).toBeVisible();
  expect(dialog.queryByRole("button", { name: "Merge back" })).not.toBeInTheDocument();
  await userEvent.click(dialog.getByRole("button", { name: "Let an agent resolve it" }));
  expect(call).toHaveBeenCalledWith("run_home_agent", { run: "run", agent: null });
  await userEvent.click(dialog.getByRole("button", { name: "Abort merge" }));
  const left = { place: "/data/worktrees/1/+home", evenBroken: false };
  expect(call).toHaveBeenCalledWith("worktree_remove", left);
  await userEvent.click(dialog.getByRole("button", { name: "Merge back with my files" }));
  expect(call).toHaveBeenCalledWith("run_bring_home", {
    run: "run",
    nodes: null,
    branch: null,
    resolution: "by_hand",
  });
});

test("an applied merge can be reverted once", async () => {
  const mergeBack = mergeBackViewOf([mergeBackNodeOf("a", ["a.txt"])], {
    brought: [
      appliedMergeOf(["a"]),
      appliedMergeOf(["b"], { undone: true }),
      appliedMergeOf(["c"], { node: "c" }),
    ],
  });
  const { call, dialog } = await review(mergeBack, { run_home_undo: brought });
  expect(dialog.queryByRole("button", { name: "Revert the work of b" })).toBeNull();
  expect(dialog.getByText(/merged for a node/)).toBeVisible();
  await userEvent.click(dialog.getByRole("button", { name: "Revert the work of a" }));
  expect(call).toHaveBeenCalledWith("run_home_undo", { run: "run", act: "a" });
});

test("overlapping files are listed with their certainty", async () => {
  const pair: OverlapView = {
    first: "a",
    second: "b",
    firstTitle: "First",
    secondTitle: "Second",
    proof: "same_time",
    files: ["both.txt"],
    filesLeftOut: 3,
  };
  const { dialog } = await review(mergeBackViewOf([mergeBackNodeOf("a", ["a.txt"])]), {
    run_overlaps: [pair],
  });
  const list = within(await dialog.findByRole("list", { name: "Changed by two parallel nodes" }));
  expect(list.getByText("both.txt")).toBeVisible();
  expect(list.getByText(/unclear which one made the change/)).toBeVisible();
  expect(list.getByText("and 3 more")).toBeVisible();
});

test("a long file list is collapsed", async () => {
  const many = Array.from({ length: 30 }, (_, number) => `${number}.txt`);
  const { dialog } = await review(
    mergeBackViewOf([mergeBackNodeOf("a", many)], { filesLeftOut: 20 }),
  );
  const files = dialog.getByRole("list", { name: "Files that would change" });
  expect(within(files).getAllByRole("listitem").length).toBeLessThan(20);
  // The first such button is in the details of the node.
  const [, whole] = dialog.getAllByRole("button", { name: "Show all 30 files" });
  if (whole) await userEvent.click(whole);
  expect(within(files).getAllByRole("listitem")).toHaveLength(30);
});

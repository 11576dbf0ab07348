import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { CheckpointView } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { RerunDialog } from "./RerunDialog";
import { RunToolbar } from "./RunToolbar";

const plan = planOf(["a", "b"], ["a>b"]);
const done = { state: "done", byHand: false } as const;

function checkpoint(facts: Partial<CheckpointView> = {}): CheckpointView {
  return {
    number: 0,
    name: "Before the rewrite",
    at: 0,
    data: null,
    done: 1,
    hasFiles: true,
    changedFiles: ["src/main.rs", "notes.md"],
    ...facts,
  };
}

function open(checkpoints: CheckpointView[], stale: string[] = []) {
  const whole = runOf(plan, { a: done, b: done });
  const nodes = whole.nodes.map((node) => ({ ...node, stale: stale.includes(node.node) }));
  const preview = {
    nodes: stale.map((node) => ({
      node,
      title: `Title of ${node}`,
      kind: "command",
      lastMs: 1_000,
      lastCostUsd: null,
      lastTokens: null,
    })),
    totalMs: 1_000,
    totalCostUsd: 0,
    unknownCosts: 0,
  };
  return openBlueprint(
    <>
      <RunToolbar />
      <RerunDialog />
    </>,
    {
      view: viewOf(plan, { review: "approved" }),
      run: { ...whole, nodes },
      answers: { run_checkpoints: checkpoints, agents_list: [], run_rerun_preview: preview },
    },
  );
}

test("reruns all stale nodes, after showing which they are", async () => {
  const { call } = open([], ["b"]);
  await userEvent.click(screen.getByRole("button", { name: "Rerun stale (1)" }));
  expect(call).not.toHaveBeenCalledWith("run_rerun_stale", expect.anything());
  await userEvent.click(await screen.findByRole("button", { name: "Rerun 1 node" }));
  expect(call).toHaveBeenCalledWith("run_rerun_stale", { run: "run" });
});

test("no rerun button without stale nodes", () => {
  open([]);
  expect(screen.queryByRole("button", { name: /Rerun stale/ })).not.toBeInTheDocument();
});

test("creates a named checkpoint", async () => {
  const { call, page } = open([]);
  act(() => page.setState({ checkpointsOpen: true }));
  expect(await screen.findByText(/No checkpoints yet/)).toBeVisible();
  const name = screen.getByRole("textbox", { name: "Checkpoint name" });
  await userEvent.type(name, " Before it {Enter}");
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith("run_checkpoint", {
      run: "run",
      name: "Before it",
      data: null,
    }),
  );
  await waitFor(() => expect(name).toHaveValue(""));
});

test("a rollback lists changed files, and restores them only on request", async () => {
  const { call, page } = open([checkpoint(), checkpoint({ number: 1, name: "Later" })]);
  act(() => page.setState({ checkpointsOpen: true }));
  const names = await screen.findAllByRole("button", { name: /^Roll back to/ });
  expect(
    names.map((each) => each.getAttribute("aria-label")),
    "newest first",
  ).toEqual(["Roll back to Later", "Roll back to Before the rewrite"]);
  await userEvent.click(screen.getByRole("button", { name: "Roll back to Before the rewrite" }));
  const form = within(screen.getByRole("region", { name: "Roll back to Before the rewrite" }));
  expect(form.getByText("src/main.rs")).toBeVisible();
  await userEvent.click(form.getByRole("switch", { name: "Restore files too" }));
  await userEvent.click(form.getByRole("button", { name: "Roll back with files" }));
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith("run_rollback", { run: "run", checkpoint: 0, files: true }),
  );
});

test("a checkpoint without files has no option to restore them", async () => {
  const { page } = open([checkpoint({ hasFiles: false, changedFiles: [] })]);
  act(() => page.setState({ checkpointsOpen: true }));
  await userEvent.click(await screen.findByRole("button", { name: /^Roll back to/ }));
  expect(screen.getByText(/wasn't a git repository/)).toBeVisible();
  expect(screen.queryByRole("switch")).not.toBeInTheDocument();
});

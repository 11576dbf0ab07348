import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { NodeState, RunSummary } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { asks, done, failed } from "@/run/stateHistoryFixture";
import { RunProgress } from "./RunProgress";

const plan = planOf(["a", "b", "c"], []);

function open(states: Record<string, NodeState>, summary: Partial<RunSummary> = {}) {
  const run = runOf(plan, states, summary);
  return openBlueprint(<RunProgress />, { view: viewOf(plan), run });
}

test("Waiting for you leads to the question", async () => {
  const { editor, page } = open({ a: done, b: asks });
  const pill = screen.getByRole("button", { name: "Waiting for you" });
  expect(pill).toHaveAttribute("title", "Show the question");
  await userEvent.click(pill);
  expect([...editor.getState().selection]).toEqual(["b"]);
  expect(page.getState().answering).toBe("b");
});

test("the state of a failed run leads from failure to failure", async () => {
  const state = { state: "failed", message: "a and c failed" } as const;
  const { editor } = open({ a: failed, b: done, c: failed }, { state });
  const pill = screen.getByRole("button", { name: "Failed" });
  for (const expected of ["a", "c", "a"]) {
    await userEvent.click(pill);
    expect([...editor.getState().selection]).toEqual([expected]);
  }
});

test("the state of a run without problems leads to its history", async () => {
  const { page } = open({ a: done, b: done, c: done }, { state: { state: "completed" } });
  await userEvent.click(screen.getByRole("button", { name: "Completed" }));
  expect(page.getState()).toMatchObject({ drawerOpen: true, drawerTab: "history" });
});

test("a segment leads to the nodes in its state", async () => {
  const { editor } = open({ a: done, b: failed, c: done });
  const [first, second] = ["Show 2 done nodes", "Show 1 failed node"].map((name) =>
    screen.getByRole("button", { name }),
  );
  await userEvent.click(first as HTMLElement);
  expect([...editor.getState().selection]).toEqual(["a"]);
  await userEvent.click(first as HTMLElement);
  expect([...editor.getState().selection]).toEqual(["c"]);
  await userEvent.click(second as HTMLElement);
  expect([...editor.getState().selection]).toEqual(["b"]);
});

test("the count leads to the list, and the time to the times", async () => {
  const { page } = open({ a: done }, { endedAt: 1_000 });
  await userEvent.click(screen.getByRole("button", { name: "1/3" }));
  expect(page.getState().view).toBe("list");
  await userEvent.click(screen.getByRole("button", { name: "1.0 s" }));
  expect(page.getState().view).toBe("times");
});

test("the cost leads from node to node, the costliest first", async () => {
  const run = runOf(plan, { a: done, b: done, c: done });
  const costs: Record<string, number | null> = { a: 0.12, b: null, c: 1.3 };
  const unknown = { cacheReadTokens: null, cacheWriteTokens: null };
  for (const node of run.nodes)
    node.used = { inputTokens: 10, outputTokens: 5, ...unknown, usd: costs[node.node] ?? null };
  const { editor } = openBlueprint(<RunProgress />, { view: viewOf(plan), run });
  for (const expected of ["c", "a", "c"]) {
    await userEvent.click(screen.getByRole("button", { name: "$1.42" }));
    expect([...editor.getState().selection]).toEqual([expected]);
  }
});

test("a run without a reported cost shows none", () => {
  open({ a: done });
  expect(screen.queryByText(/\$/)).toBeNull();
});

test("unconfirmed work is reachable from its count", async () => {
  const run = runOf(plan, { a: done, b: done });
  for (const node of run.nodes) if (node.node === "b") node.unverified = true;
  const { editor } = openBlueprint(<RunProgress />, { view: viewOf(plan), run });
  await userEvent.click(screen.getByRole("button", { name: "1 unverified" }));
  expect([...editor.getState().selection]).toEqual(["b"]);
});

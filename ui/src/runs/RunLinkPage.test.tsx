import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import { planOf, runOf } from "@/plan/planFixture";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { RunLinkPage, targetNode } from "./RunLinkPage";

const failed = { state: "failed", failure: { kind: "exit", code: 1 } } as never;
const run = runOf(planOf(["a", "b", "c"], []), { b: failed, c: failed });
const tokens = { inputTokens: 1, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null };
const costs: Record<string, number> = { a: 0.1, c: 0.3 };
for (const node of run.nodes) node.used = { ...tokens, usd: costs[node.node] ?? null };

test.each([
  [null, undefined],
  ["c", "c"],
  ["first_failed", "b"],
  ["costliest", "c"],
])("the node %s leads to %s", (node, expected) => expect(targetNode(run, node)).toBe(expected));

test("without a failure or a cost, the run alone is shown", () => {
  expect(targetNode({ nodes: [] }, "first_failed")).toBeUndefined();
  expect(targetNode({ nodes: [] }, "costliest")).toBeUndefined();
});

test("a deleted run says so", async () => {
  const { backend } = fakeBackend({
    run_progress: () => {
      throw new ApiError("not_found", "There is no such run.");
    },
  } as unknown as Parameters<typeof fakeBackend>[0]);
  renderAtPath(backend, <RunLinkPage />, "/runs/:run", "/runs/gone");
  expect(await screen.findByRole("heading", { name: "This run doesn't exist" })).toBeVisible();
});

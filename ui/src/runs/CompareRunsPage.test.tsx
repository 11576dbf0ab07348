import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { RunView } from "@/api/bindings";
import { planOf, runOf } from "@/plan/planFixture";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { CompareRunsPage } from "./CompareRunsPage";

const done = { state: "done", byHand: false } as const;
const plan = planOf(["a", "b"], []);

function runNamed(id: string, facts: Partial<RunView["summary"]>, artifact: string): RunView {
  const run = runOf(plan, { a: done, b: done }, { id, state: { state: "completed" }, ...facts });
  return {
    ...run,
    nodes: run.nodes.map((node) => (node.node === "a" ? { ...node, artifact } : node)),
  };
}

const runs: Record<string, RunView> = {
  r1: runNamed("r1", { number: 40, version: 1, endedAt: 60_000 }, "h1"),
  r2: runNamed("r2", { number: 41, version: 2, endedAt: 90_000 }, "h2"),
};
const texts: Record<string, string> = { h1: "Same\nOld\n", h2: "Same\nNew\n" };

function open(address: string) {
  const { backend } = fakeBackend({
    run_progress: ({ run }: { run: string }) => {
      const found = runs[run];
      if (!found) throw new ApiError("not_found", "There is no such run.");
      const { plan: _, ...progress } = found;
      return progress;
    },
    plan_version_get: () => plan,
    artifact_get: ({ artifact }: { artifact: string }) => ({
      content: { text: texts[artifact], author: "agent", outputs: {}, files: [] },
    }),
  } as unknown as Parameters<typeof fakeBackend>[0]);
  renderAtPath(backend, <CompareRunsPage />, "/runs/compare", address);
}

test("two runs are compared in total and node by node, with their handoffs", async () => {
  open("/runs/compare?a=r1&b=r2");
  const totals = await screen.findByRole("table", { name: "Totals" });
  expect(within(totals).getByText("+30 s")).toBeVisible();
  expect(within(totals).getByRole("link", { name: "Compare versions" })).toHaveAttribute(
    "href",
    "/blueprints/plan/compare?from=1&to=2",
  );
  const nodes = screen.getByRole("table", { name: "Nodes" });
  expect(within(nodes).getAllByRole("link", { name: "Done" })).toHaveLength(4);
  await userEvent.click(screen.getByRole("button", { name: "Handoffs of Title of a" }));
  const figure = await screen.findByRole("figure", { name: /1 line added, 1 removed/ });
  expect(figure).toHaveTextContent("Old");
  expect(figure).toHaveTextContent("New");
});

test("only differences are listed on demand", async () => {
  open("/runs/compare?a=r1&b=r2");
  await userEvent.click(await screen.findByRole("switch", { name: "Only differences" }));
  expect(screen.getByRole("heading", { name: "No differences" })).toBeVisible();
  expect(screen.getByText("0 of 2 nodes")).toHaveAttribute("role", "status");
});

test.each([
  ["/runs/compare?a=r1&b=r1", "This is the same run twice"],
  ["/runs/compare?a=r1", "Select two runs to compare"],
  ["/runs/compare?a=r1&b=gone", "The second run doesn't exist"],
  ["/runs/compare?a=gone&b=r2", "The first run doesn't exist"],
])("%s shows “%s”", async (address, title) => {
  open(address);
  expect(await screen.findByRole("heading", { name: title })).toBeVisible();
  expect(screen.getByRole("link", { name: "Show all runs" })).toHaveAttribute("href", "/runs");
});

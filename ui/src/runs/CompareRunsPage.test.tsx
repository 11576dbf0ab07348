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

const outputs: Record<string, Record<string, string>> = {};

function open(address: string, otherHandoffs: string[] | ApiError = ["a"]) {
  const { backend } = fakeBackend({
    run_progress: ({ run }: { run: string }) => {
      const found = runs[run];
      if (!found) throw new ApiError("not_found", "There is no such run.");
      const { plan: _, ...progress } = found;
      return progress;
    },
    handoffs_compare: () => {
      if (otherHandoffs instanceof ApiError) throw otherHandoffs;
      return { different: otherHandoffs };
    },
    plan_version_get: () => plan,
    artifact_get: ({ artifact }: { artifact: string }) => ({
      content: {
        text: texts[artifact],
        author: "agent",
        outputs: outputs[artifact] ?? { version: "1" },
        files: [],
      },
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

test("only differences are listed on demand, and another handoff is one", async () => {
  open("/runs/compare?a=r1&b=r2");
  await userEvent.click(await screen.findByRole("switch", { name: "Only differences" }));
  expect(screen.getByText("1 of 2 nodes")).toHaveAttribute("role", "status");
  const [, row, ...more] = within(screen.getByRole("table", { name: "Nodes" })).getAllByRole("row");
  expect(row).toHaveTextContent(/Title of a.*Handoff differs/);
  expect(more).toEqual([]);
});

test("without a difference, the rule for time and cost is named", async () => {
  open("/runs/compare?a=r1&b=r2", []);
  await userEvent.click(await screen.findByRole("switch", { name: "Only differences" }));
  expect(screen.getByRole("heading", { name: "No differences" })).toBeVisible();
  expect(screen.getByText("0 of 2 nodes")).toHaveAttribute("role", "status");
  expect(
    screen.getByText("Time counts as different from 5 s and 25%, cost from $0.01 and 25%."),
  ).toBeVisible();
});

test("handoffs that differ only in durations are said to be the same", async () => {
  open("/runs/compare?a=r1&b=r2", []);
  await userEvent.click(await screen.findByRole("button", { name: "Handoffs of Title of a" }));
  expect(await screen.findByText("The same, except for durations.")).toBeVisible();
  expect(screen.queryByRole("figure")).toBeNull();
});

test("runs are compared even if their handoffs can't be", async () => {
  open("/runs/compare?a=r1&b=r2", new ApiError("internal", "The database is busy."));
  expect(await screen.findByRole("table", { name: "Totals" })).toBeVisible();
  expect(
    screen.getByText("The handoffs couldn't be compared. The database is busy."),
  ).toBeVisible();
  expect(screen.getByRole("button", { name: "Retry" })).toBeEnabled();
  await userEvent.click(screen.getByRole("button", { name: "Handoffs of Title of a" }));
  expect(await screen.findByRole("figure", { name: /1 line added/ }), "unknown").toBeVisible();
});

test("named outputs are compared too", async () => {
  texts.h3 = "Same\nOld\n";
  outputs.h3 = { version: "2" };
  runs.r3 = runNamed("r3", { number: 42 }, "h3");
  open("/runs/compare?a=r1&b=r3");
  await userEvent.click(await screen.findByRole("button", { name: "Handoffs of Title of a" }));
  const region = await screen.findByRole("region", { name: "Named outputs" });
  expect(region).toHaveTextContent("version = 1");
  expect(region).toHaveTextContent("version = 2");
  expect(screen.getAllByRole("figure")).toHaveLength(1);
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

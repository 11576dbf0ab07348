import { render, screen, within } from "@testing-library/react";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import type { SimulatedNode, Simulation } from "@/api/bindings";
import { SimulationView } from "./SimulationView";

vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

function nodeOf(id: string, facts: Partial<SimulatedNode> = {}): SimulatedNode {
  return {
    node: id,
    slug: id,
    title: `Title of ${id}`,
    kind: "agent",
    occasion: "always",
    agents: null,
    tools: [],
    calls: [],
    subPlan: null,
    questions: [],
    estimate: { ms: null, usd: null, source: "unknown", attempts: 0 },
    ...facts,
  };
}

function simulationOf(nodes: SimulatedNode[], facts: Partial<Simulation> = {}): Simulation {
  return {
    waves: [nodes.filter(({ occasion }) => occasion !== "after_failure").map(({ node }) => node)],
    width: 3,
    limit: 2,
    nodes,
    timeMs: null,
    unknownTimes: 0,
    usd: null,
    unknownCosts: 0,
    ...facts,
  };
}

const known = { ms: 65_000, usd: 0.3, source: "node", attempts: 4 } as const;

test("shows the order, the expected time and cost, and what is unknown", () => {
  const nodes = [nodeOf("a", { estimate: known }), nodeOf("b")];
  render(
    <SimulationView
      simulation={simulationOf(nodes, { timeMs: 65_000, usd: 0.3, unknownCosts: 1 })}
    />,
  );
  expect(screen.getByText("2 nodes in 1 wave, at most 2 at once")).toBeVisible();
  expect(screen.getByText("About 1m 05s")).toBeVisible();
  expect(screen.getByText("About $0.30, unknown for 1 node")).toBeVisible();
  expect(screen.getByText("1m 05s, $0.30")).toBeVisible();
});

test("without earlier runs the time is unknown, and a blueprint of commands costs nothing", () => {
  render(<SimulationView simulation={simulationOf([nodeOf("a")], { unknownTimes: 1 })} />);
  expect(screen.getByText("Unknown: there are no earlier runs")).toBeVisible();
  expect(screen.queryByText("Cost")).toBeNull();
  expect(screen.getByText("No node asks you anything.")).toBeVisible();
});

test("lists questions, missing agents, guarded calls and nodes that only follow a failure", async () => {
  const agents = {
    team: "reviewers",
    candidates: [
      { agent: "claude", missing: false, asks: true },
      { agent: "gone", missing: true, asks: false },
    ],
  };
  const nodes = [
    nodeOf("a", { agents, questions: [{ asks: "guarded_tools", unlistedOnly: true }] }),
    nodeOf("b", {
      calls: [{ tool: "write", guarded: true }],
      questions: [{ asks: "input", question: "Ship <b>it</b>?" }],
    }),
    nodeOf("c", { occasion: "after_failure" }),
  ];
  const { container } = render(<SimulationView simulation={simulationOf(nodes)} />);
  expect(screen.getByText("Not available on this machine: gone")).toBeVisible();
  expect(screen.getByText("Team reviewers: claude or gone · any tool")).toBeVisible();
  expect(screen.getByText("write (guarded)")).toBeVisible();
  expect(screen.getByText(/may ask for guarded tools that are not/)).toBeVisible();
  expect(screen.getByText(/asks: Ship <b>it<\/b>\?/)).toBeVisible();
  const rest = screen.getByRole("heading", { name: "Not expected to run" }).parentElement;
  expect(within(rest as HTMLElement).getByText("Only after a failure")).toBeVisible();
  const report = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
  expect(report.violations.map(({ id }) => id)).toEqual([]);
});

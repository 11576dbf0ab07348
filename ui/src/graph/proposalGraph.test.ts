import { expect, test } from "vitest";
import type { Plan } from "@/api/bindings";
import { planOf } from "@/plan/planFixture";
import { changingProposal } from "@/plan/proposalFixture";
import { graphOf, mergeDraftAndBase } from "./proposalGraph";

const nowhere = new Map();

function marks(graph: ReturnType<typeof graphOf>) {
  return Object.fromEntries(graph.nodes.map(({ id, data }) => [id, data.mark]));
}

test("a new blueprint has no marks", () => {
  const graph = graphOf(planOf(["a", "b"], ["a>b"]), null, new Set(), nowhere);
  expect(marks(graph)).toEqual({ a: "same", b: "same" });
  expect(graph.edges.map(({ className }) => className)).toEqual([
    "proposed-edge proposed-edge-same",
  ]);
});

test("differences from the base are marked, and removed nodes are still shown", () => {
  const { draft, base } = changingProposal();
  if (!draft) throw new Error("the fixture has a draft");
  const graph = graphOf(draft, base, new Set(["c"]), nowhere);
  expect(marks(graph)).toEqual({ a: "same", b: "removed", c: "changed", d: "added" });
  const edges = Object.fromEntries(
    graph.edges.map(({ source, target, className }) => [`${source}>${target}`, className]),
  );
  expect(edges).toEqual({
    "a>b": "proposed-edge proposed-edge-removed",
    "b>c": "proposed-edge proposed-edge-removed",
    "a>c": "proposed-edge proposed-edge-added",
    "c>d": "proposed-edge proposed-edge-added",
  });
  expect(graph.nodes.find(({ id }) => id === "b")?.ariaLabel).toBe("Title of b, removed");
});

test("an edge to a missing node is left out", () => {
  const plan = planOf(["a"], ["a>gone"]);
  expect(graphOf(plan, null, new Set(), nowhere).edges).toEqual([]);
});

test("removed nodes are laid out with the draft, with their edges", () => {
  const draft = planOf(["a", "d"], ["a>d"]);
  const base = planOf(["a", "b", "d"], ["a>b", "b>d"]);
  const union = mergeDraftAndBase(draft, base);
  expect(union.nodes.map(({ id }) => id)).toEqual(["a", "d", "b"]);
  expect(union.edges.map(({ parent, child }) => `${parent}>${child}`)).toEqual([
    "a>d",
    "a>b",
    "b>d",
  ]);
  expect(mergeDraftAndBase(draft, draft), "without removed nodes it is the draft itself").toBe(
    draft,
  );
});

test("nodes without a position use the layout's, in the draft's reading direction", () => {
  const plan = planOf(["a", "b", "c"], ["a>b"]);
  const unplaced = plan.nodes.map((node) => ({ ...node, position: null }));
  const draft: Plan = { ...plan, nodes: unplaced, direction: "top_down" };
  const places = new Map([
    ["a", { x: 0, y: 0 }],
    ["b", { x: 0, y: 120 }],
  ]);
  const { nodes } = graphOf(draft, null, new Set(), places);
  expect(
    nodes.map(({ position }) => position.y),
    "nodes without any position are below",
  ).toEqual([0, 120, 96]);
  expect(nodes.map(({ data }) => data.reading)).toEqual(["top_down", "top_down", "top_down"]);
});

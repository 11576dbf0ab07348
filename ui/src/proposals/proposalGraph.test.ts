import { expect, test } from "vitest";
import { planOf } from "@/blueprint/planFixture";
import { changingProposal } from "./proposalFixture";
import { graphOf } from "./proposalGraph";

function marks(graph: ReturnType<typeof graphOf>) {
  return Object.fromEntries(graph.nodes.map(({ id, data }) => [id, data.mark]));
}

test("a new blueprint has no marks", () => {
  const graph = graphOf(planOf(["a", "b"], ["a>b"]), null, new Set());
  expect(marks(graph)).toEqual({ a: "same", b: "same" });
  expect(graph.edges.map(({ className }) => className)).toEqual([
    "proposed-edge proposed-edge-same",
  ]);
});

test("what differs from the base is marked, and what goes is still there", () => {
  const { draft, base } = changingProposal();
  if (!draft) throw new Error("the fixture has a draft");
  const graph = graphOf(draft, base, new Set(["c"]));
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
  expect(graph.nodes.find(({ id }) => id === "b")?.ariaLabel).toBe("Title of b, goes");
});

test("an edge to a node that is not drawn is left out", () => {
  const plan = planOf(["a"], ["a>gone"]);
  expect(graphOf(plan, null, new Set()).edges).toEqual([]);
});

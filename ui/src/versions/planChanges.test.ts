import { expect, test } from "vitest";
import type { Plan, PlanDiff } from "@/api/bindings";
import { planOf } from "@/plan/planFixture";
import { type Change, changedNodes, changesBetween } from "./planChanges";

const nothing: PlanDiff = {
  nodesAdded: [],
  nodesRemoved: [],
  nodesChanged: [],
  edgesAdded: [],
  edgesRemoved: [],
  groupsChanged: false,
  planChanged: false,
};

function changeLines(earlier: Plan, later: Plan, diff: Partial<PlanDiff>): string[] {
  return changesBetween(earlier, later, { ...nothing, ...diff }).map((change: Change) => {
    switch (change.kind) {
      case "plan":
      case "changed":
        return `${change.kind} ${change.fields.map(({ field, before, after }) => `${field}: ${before} -> ${after}`).join("; ")}`;
      case "edge":
        return `${change.verb} ${change.words}`;
      default:
        return `${change.kind} ${change.node.title}`;
    }
  });
}

test("lists changed nodes, fields and edges in order", () => {
  const earlier = planOf(["a", "b", "c"], ["a>b", "b>c"]);
  const later = planOf(["a", "b", "d"], ["a>b", "a>d"]);
  const nodes = later.nodes.map((node) => (node.id === "b" ? { ...node, maxRetries: 2 } : node));
  const edges = later.edges.map((edge) => (edge.child === "b" ? { ...edge, soft: true } : edge));
  const changed = { ...later, title: "Renamed", nodes, edges };
  expect(
    changeLines(earlier, changed, {
      nodesAdded: ["d"],
      nodesRemoved: ["c"],
      nodesChanged: ["b"],
      planChanged: true,
    }),
  ).toEqual([
    "plan title: Plan -> Renamed",
    "changed max retries: 0 -> 2",
    "added Title of d",
    "removed Title of c",
    "changed Title of a → Title of b: hard → soft",
    "added Title of a → Title of d",
    "removed Title of b → Title of c",
  ]);
});

test("a moved node is unchanged, a changed kind is listed", () => {
  const earlier = planOf(["a"], []);
  const [a] = earlier.nodes;
  if (!a) throw new Error("it has a node");
  const moved = { ...earlier, nodes: [{ ...a, position: { x: 900, y: 4 } }] };
  expect(changeLines(earlier, moved, {})).toEqual([]);
  const kind = { kind: "condition", condition: "true", trueStep: null, falseStep: null } as const;
  const [line] = changeLines(
    earlier,
    { ...earlier, nodes: [{ ...a, kind }] },
    { nodesChanged: ["a"] },
  );
  expect(line).toContain("condition: none -> true");
});

test("each change has its affected nodes", () => {
  const earlier = planOf(["a", "b"], []);
  const later = planOf(["a", "b"], ["a>b"]);
  const [edge] = changesBetween(earlier, later, nothing);
  expect(edge && changedNodes(edge)).toEqual(["a", "b"]);
});

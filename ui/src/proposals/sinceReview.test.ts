import { expect, test } from "vitest";
import type { PlanDiff } from "@/api/bindings";
import { planOf } from "@/plan/planFixture";
import { graphSinceReview, isEmptyDiff, isSinceReview } from "./sinceReview";

const nothing: PlanDiff = {
  nodesAdded: [],
  nodesRemoved: [],
  nodesChanged: [],
  edgesAdded: [],
  edgesRemoved: [],
  groupsChanged: false,
  planChanged: false,
};
const edge = (parent: string, child: string) => ({ parent, child, soft: false, inferred: false });

test("only what came after the last word is new in the graph", () => {
  const draft = planOf(["a", "b", "c"], ["a>b", "b>c"]);
  const [, added] = draft.edges;
  if (!added) throw new Error("two edges");
  const diff = {
    ...nothing,
    nodesAdded: ["c"],
    edgesAdded: [added],
    edgesRemoved: [edge("a", "gone"), edge("b", "a")],
  };
  const { base } = graphSinceReview(draft, diff);
  expect(base?.nodes.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(base?.edges.map(({ parent, child }) => `${parent}>${child}`)).toEqual(["a>b", "b>a"]);
});

test("changes are filtered by node, edge and settings", () => {
  const diff = { ...nothing, nodesChanged: ["a"], edgesAdded: [edge("a", "b")] };
  expect(isSinceReview({ change: "add_node", node: "a" }, diff)).toBe(true);
  expect(isSinceReview({ change: "change_node", node: "b" }, diff)).toBe(false);
  expect(isSinceReview({ change: "add_edge", edge: edge("a", "b") }, diff)).toBe(true);
  expect(isSinceReview({ change: "remove_edge", edge: edge("b", "c") }, diff)).toBe(false);
  expect(isSinceReview({ change: "change_plan" }, diff)).toBe(false);
  expect(isSinceReview({ change: "change_plan" }, { ...nothing, planChanged: true })).toBe(true);
});

test("an empty comparison has nothing in it", () => {
  expect(isEmptyDiff(nothing)).toBe(true);
  expect(isEmptyDiff({ ...nothing, groupsChanged: true })).toBe(false);
});

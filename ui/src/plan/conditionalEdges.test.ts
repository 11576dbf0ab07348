// @vitest-environment node
import { expect, test } from "vitest";
import type { Node, Plan } from "@/api/bindings";
import {
  conditionalEdgeKey,
  conditionalEdgesIn,
  type EdgeCondition,
  parseConditionalEdgeKey,
  setTarget,
  targetOf,
} from "./conditionalEdges";
import * as edits from "./edits";
import { blankKind, kindNames } from "./kinds";
import { planOf } from "./planFixture";
import { connectionRefusal, drawnRefusal, refusedEnds } from "./reachability";

/** `fork` is a condition; `end` joins `yes` and `no`. */
function forked(): Plan {
  const plan = planOf(["fork", "yes", "no", "end"], ["yes>end", "no>end"]);
  return { ...plan, nodes: plan.nodes.map((node) => (node.id === "fork" ? asFork(node) : node)) };
}

function asFork(node: Node): Node {
  return {
    ...node,
    kind: { kind: "condition", condition: "true", trueStep: "yes", falseStep: "no" },
    onFailure: { node: "end" },
  };
}

const nodeIn = (plan: Plan, id: string) => {
  const node = plan.nodes.find((candidate) => candidate.id === id);
  if (!node) throw new Error(`the fixture has no ${id}`);
  return node;
};

test("node fields become edges with keys that no plain edge has", () => {
  const plan = forked();
  expect(conditionalEdgesIn(plan).map(conditionalEdgeKey)).toEqual([
    "fork#true",
    "fork#false",
    "fork#failure",
  ]);
  expect(parseConditionalEdgeKey("fork#failure")).toEqual({ parent: "fork", kind: "failure" });
  expect(parseConditionalEdgeKey("yes>end")).toBeUndefined();
  expect(conditionalEdgesIn(plan)).toBe(conditionalEdgesIn({ nodes: plan.nodes }));
});

test("removing an edge clears the field without changing the old node", () => {
  const plan = forked();
  const kinds: EdgeCondition[] = ["true", "false", "failure"];
  const left = edits.removeEdges(
    plan,
    new Set(kinds.map((kind) => conditionalEdgeKey({ parent: "fork", kind }))),
  );
  expect(conditionalEdgesIn(left)).toEqual([]);
  expect(nodeIn(left, "fork").onFailure).toBe("abort");
  expect(left.edges).toBe(plan.edges);
  expect(edits.removeEdges(plan, new Set(["yes#success"])), "nothing there").toBe(plan);
});

test("removing a node removes the conditional edges to it", () => {
  const left = edits.removeNodes(forked(), new Set(["yes", "end"]));
  expect(conditionalEdgesIn(left).map(conditionalEdgeKey)).toEqual(["fork#false"]);
  expect(nodeIn(left, "fork").kind).toMatchObject({ trueStep: null, falseStep: "no" });
});

test("copies lead to copies, or nowhere if the target was not copied", () => {
  const plan = forked();
  const fragment = edits.fragmentOf(plan, new Set(["fork", "yes"]));
  const { plan: after, ids } = edits.insertFragment(plan, fragment, { x: 0, y: 0 });
  const copy = nodeIn(after, ids[0] ?? "");
  expect(targetOf(copy, "true")).toBe(ids[1]);
  expect(targetOf(copy, "false")).toBeNull();
  expect(copy.onFailure).toBe("abort");
});

test("a branch replaces an edge, and can be moved and split", () => {
  const drawn = edits.connect(forked(), "fork", "end");
  const branch = edits.setWay(drawn, "fork", "true", "end");
  expect(branch.edges, "the branch has replaced the edge").toHaveLength(2);
  const moved = edits.reconnect(branch, "fork#true", "fork", "yes");
  expect(targetOf(nodeIn(moved, "fork"), "true")).toBe("yes");
  const middle = { ...nodeIn(moved, "no"), id: "middle", slug: "middle" };
  const divided = edits.insertInEdge(moved, "fork#true", middle);
  expect(targetOf(nodeIn(divided, "fork"), "true")).toBe("middle");
  expect(divided.edges).toContainEqual({ parent: "middle", child: "yes", soft: false });
});

test("a plain edge that is drawn as one line with a branch shares its fate", () => {
  const both = edits.connect(forked(), "fork", "yes");
  const links = (plan: Plan) => plan.edges.map(({ parent, child }) => `${parent}>${child}`);
  const before = links(forked());
  expect(links(edits.removeEdges(both, new Set(["fork#true"])))).toEqual(before);
  expect(links(edits.reconnect(both, "fork#true", "fork", "end"))).toEqual(before);
  expect(edits.reconnect(both, "fork#true", "fork", "yes"), "no move").toBe(both);
  const middle = { ...nodeIn(both, "no"), id: "middle", slug: "middle" };
  expect(links(edits.insertInEdge(both, "fork#true", middle))).toEqual([...before, "middle>yes"]);
  const twice = edits.changeNode(both, "fork", (node) => setTarget(node, "false", "yes"));
  expect(links(edits.removeEdges(twice, new Set(["fork#true"]))), "the other branch").toEqual(
    links(both),
  );
  const soft = edits.setSoft(both, new Set(["fork>yes"]), true);
  expect(links(edits.removeEdges(soft, new Set(["fork#true"]))), "its own line").toEqual(
    links(both),
  );
});

test("a conditional edge back is a cycle too, also while it is drawn", () => {
  const plan = forked();
  expect(connectionRefusal(plan, "end", "fork")).toMatchObject({ why: "cycle" });
  expect(connectionRefusal(plan, "end", "yes", "failure")).toMatchObject({ why: "cycle" });
  expect(connectionRefusal(plan, "fork", "yes", "true")).toEqual({ why: "duplicate" });
  expect(connectionRefusal(plan, "fork", "yes", "false"), "both may lead there").toBeUndefined();
  expect(connectionRefusal(plan, "fork", "fork", "true")).toEqual({ why: "itself" });
  expect(refusedEnds(plan, "end", "parent", "failure")).toEqual(
    new Set(["end", "yes", "no", "fork"]),
  );
  expect(refusedEnds(plan, "fork", "parent", "true")).toEqual(new Set(["fork", "yes"]));
  const drawn = { source: "fork", sourceHandle: "true", target: "end" };
  expect(drawnRefusal(plan, undefined, drawn)).toBeUndefined();
  expect(drawnRefusal(plan, "fork#true", { ...drawn, target: "yes" }), "put back").toBeUndefined();
});

test("every kind can be added and recognized", () => {
  for (const kind of kindNames) {
    const node = edits.blankNode(planOf([], []), kind, { x: 0, y: 0 });
    expect(node.kind).toEqual(blankKind(kind));
    expect(node.slug).not.toBe("");
  }
});

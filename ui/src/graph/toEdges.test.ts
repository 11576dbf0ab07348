// @vitest-environment node
import { expect, test } from "vitest";
import type { NodeRunView, NodeState, Plan } from "@/api/bindings";
import { setWay } from "@/plan/edits";
import { conditionOfHandle, handlesOf, sourceHandleId } from "@/plan/handles";
import { planOf, runOf } from "@/plan/planFixture";
import { noMarks } from "@/run/runAtMoment";
import { runsByNode } from "@/run/runsByNode";
import { allElements } from "./renderedElements";
import { createScene } from "./scene";
import { edgeRunState, isPassedBy, toEdges } from "./toEdges";

function forked(): Plan {
  const plan = planOf(["fork", "yes", "no"], ["yes>no"]);
  const kind = { kind: "condition", condition: "true", trueStep: "yes", falseStep: "no" } as const;
  const nodes = plan.nodes.map((node) => (node.id === "fork" ? { ...node, kind } : node));
  return setWay({ ...plan, nodes }, "yes", "failure", "no");
}

const plan = forked();
const linesOf = (of: Plan) => {
  const scene = createScene(of, new Map());
  return { scene, lines: allElements(scene).lines };
};
const titleOf = (id: string) => id;
const edgesOf = (run?: Parameters<typeof runsByNode>[0]) =>
  toEdges(
    { ...linesOf(plan), selectedEdges: new Set(["fork#true"]) },
    runsByNode(run),
    titleOf,
    undefined,
  );

test("branches and jumps are edges with labels, from their own outlets", () => {
  const edges = edgesOf();
  expect(edges.map(({ id, sourceHandle, ariaLabel }) => [id, sourceHandle, ariaLabel])).toEqual([
    ["yes>no", "out", "no depends on yes"],
    ["fork#true", "true", "true: fork goes to yes"],
    ["fork#false", "false", "false: fork goes to no"],
    ["yes#failure", "failure", "on failure: yes goes to no"],
  ]);
  expect(edges.filter((edge) => edge.selected).map((edge) => edge.id)).toEqual(["fork#true"]);
});

test("unchanged edges keep their identity", () => {
  const first = edgesOf();
  const second = toEdges(
    { ...linesOf({ ...plan }), selectedEdges: new Set() },
    runsByNode(undefined),
    titleOf,
    first,
  );
  expect(second.map((edge, at) => edge === first[at])).toEqual([true, false, true, true]);
});

test("the branch not taken fades, the other is on the path", () => {
  const run = runOf(plan, { fork: { state: "done", byHand: false }, yes: { state: "running" } });
  const taken = {
    ...run,
    nodes: run.nodes.map((node) =>
      node.node === "fork" ? { ...node, marks: { ...noMarks, taken: true } } : node,
    ),
  };
  expect(edgesOf(taken).map(({ id, data }) => [id, data?.onPath, data?.passedBy])).toEqual([
    ["yes>no", false, false],
    ["fork#true", true, false],
    ["fork#false", false, true],
    ["yes#failure", false, false],
  ]);
});

test("an edge has carried a handoff once its child has started, until it runs again", () => {
  const run = runOf(planOf(["a", "b", "c", "d"], ["a>b", "b>c", "c>d"]), {
    a: { state: "done", byHand: false },
    b: { state: "failed", failure: { reason: "by_hand" } },
    c: { state: "running" },
  });
  const [done, failed, running, pending] = run.nodes;
  const carried = (parent: NodeRunView | undefined, child: NodeRunView | undefined) =>
    edgeRunState({ soft: false, condition: undefined }, parent, child).carried;
  expect([done, failed, running, pending].map((child) => carried(done, child))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([failed, running, undefined].map((parent) => carried(parent, done))).toEqual([
    false,
    false,
    false,
  ]);
});

test("a jump is passed by when the node ended the other way", () => {
  const state = (at: NodeState, marks: Partial<NodeRunView["marks"]> = {}): NodeRunView => ({
    ...(runOf(plan, {}).nodes[0] as NodeRunView),
    state: at,
    marks: { ...noMarks, ...marks },
  });
  const done = state({ state: "done", byHand: false });
  const failed = state({ state: "failed", failure: { reason: "by_hand" } });
  const skipped = state({ state: "skipped", reason: { kind: "by_hand" } });
  expect([done, failed, skipped].map((node) => isPassedBy("failure", node))).toEqual([
    true,
    false,
    true,
  ]);
  expect([done, failed, skipped].map((node) => isPassedBy("success", node))).toEqual([
    false,
    true,
    true,
  ]);
  expect(isPassedBy("true", undefined)).toBe(false);
});

test("only a condition has branch outlets, and every outlet maps back to its field", () => {
  const ids = plan.nodes.map((node) =>
    handlesOf(node, "left_right").map((handle) => handle.id ?? "in"),
  );
  expect(ids[0]).toEqual(["in", "out", "failure", "true", "false"]);
  expect(ids[1]).toEqual(["in", "out", "failure"]);
  for (const condition of ["true", "false", "failure"] as const)
    expect(conditionOfHandle(sourceHandleId(condition))).toBe(condition);
  expect(conditionOfHandle(sourceHandleId(undefined))).toBeUndefined();
  expect(sourceHandleId("success"), "a success jump uses the default outlet").toBe("out");
});

// @vitest-environment node
import { expect, test } from "vitest";
import { setWay } from "@/plan/edits";
import { wholePlan } from "@/plan/largePlanFixture";
import { planOf } from "@/plan/planFixture";
import {
  boundsOf,
  createScene,
  linesIn,
  moveInScene,
  nodeAt,
  nodesIn,
  placeOf,
  rectangleOf,
} from "./scene";

const plan = planOf(["a", "b", "c"], ["a>b", "b>c", "a>c"]);
const nowhere = new Map();
const scene = createScene(plan, nowhere);

test("the upper of two overlapping nodes is hit, and nothing next to them", () => {
  const moved = moveInScene(scene, new Map([["b", { x: 100, y: 30 }]]));
  expect(nodeAt(moved, { x: 10, y: 10 })).toBe("a");
  expect(nodeAt(moved, { x: 150, y: 50 })).toBe("b");
  expect(nodeAt(moved, { x: 400, y: 50 })).toBeUndefined();
});

test("a node that is partly inside a rectangle is found, also if it only touches it", () => {
  expect(nodesIn(scene, { x: 219, y: 10, width: 82, height: 10 })).toEqual([0, 1]);
  expect(nodesIn(scene, { x: 221, y: 10, width: 78, height: 10 })).toEqual([]);
  expect(nodesIn(scene, { x: -5, y: -5, width: 9_999, height: 9_999 }, 2)).toEqual([0, 1]);
});

test("a line is found in a rectangle between its ends", () => {
  expect(linesIn(scene, { x: 350, y: 30, width: 10, height: 10 })).toEqual([0, 1, 2]);
  const between = { x: 560, y: 0, width: 20, height: 64 };
  const keys = linesIn(scene, between).map((number) => scene.lines[number]?.key);
  expect(keys, "also one without an end there").toEqual(["b>c", "a>c"]);
});

test("moved nodes take their lines along, and the original scene is unchanged", () => {
  const moved = moveInScene(scene, new Map([["c", { x: 0, y: 5_000 }]]));
  expect(placeOf(moved, "c")).toEqual({ x: 0, y: 5_000 });
  expect(placeOf(scene, "c")).toEqual({ x: 600, y: 0 });
  expect(linesIn(moved, { x: 100, y: 4_000, width: 10, height: 10 })).toEqual([1, 2]);
  expect(linesIn(scene, { x: 100, y: 4_000, width: 10, height: 10 })).toEqual([]);
  expect(moveInScene(scene, nowhere)).toBe(scene);
});

test("a node without a position uses the fallback, or a grid", () => {
  const nodes = plan.nodes.map((node) => ({ ...node, position: null }));
  const laid = createScene({ ...plan, nodes }, new Map([["b", { x: 7, y: 8 }]]));
  expect(rectangleOf(laid, 1)).toEqual({ x: 7, y: 8, width: 220, height: 64 });
  expect(placeOf(laid, "c")).toEqual({ x: 568, y: 0 });
});

test("an edge with a missing end is no line", () => {
  const broken = createScene({ ...plan, nodes: plan.nodes.slice(0, 2) }, nowhere);
  expect(broken.lines.map(({ key }) => key)).toEqual(["a>b"]);
});

test("bounds cover the requested nodes", () => {
  expect(boundsOf(scene)).toEqual({ x: 0, y: 0, width: 820, height: 64 });
  expect(boundsOf(scene, ["b", "gone"])).toEqual({ x: 300, y: 0, width: 220, height: 64 });
  expect(boundsOf(createScene({ nodes: [], edges: [] }, nowhere))).toBeUndefined();
});

test("with 10,000 nodes, queries match a linear search", () => {
  const large = createScene(wholePlan(10_000), nowhere);
  const wanted = { x: 5_000, y: 1_000, width: 1_440, height: 900 };
  const byHand = [...large.nodes.keys()].filter((number) => {
    const { x, y, width, height } = rectangleOf(large, number);
    return (
      x <= wanted.x + wanted.width &&
      x + width >= wanted.x &&
      y <= wanted.y + wanted.height &&
      y + height >= wanted.y
    );
  });
  expect(byHand.length).toBeGreaterThan(20);
  expect(nodesIn(large, wanted)).toEqual(byHand);
});

test("a condition and its child have one line, unless both branches lead there", () => {
  const branching = planOf(["if", "yes", "no"], ["if>yes", "if>no"]);
  const lines = (trueStep: string | null, falseStep: string | null, soft = false) => {
    const nodes = branching.nodes.map((node) =>
      node.id === "if"
        ? { ...node, kind: { kind: "condition" as const, condition: "true", trueStep, falseStep } }
        : node,
    );
    const edges = branching.edges.map((edge) => ({ ...edge, soft }));
    return createScene({ ...branching, nodes, edges }, nowhere).lines.map(({ key }) => key);
  };
  expect(lines("yes", "no")).toEqual(["if#true", "if#false"]);
  expect(lines("yes", null)).toEqual(["if>no", "if#true"]);
  expect(lines("yes", "yes")).toEqual(["if>no", "if#true", "if#false"]);
  expect(lines(null, null)).toEqual(["if>yes", "if>no"]);
  expect(lines("yes", null, true), "a soft edge is something else").toEqual([
    "if>yes",
    "if>no",
    "if#true",
  ]);
});

test("a jump on success and a plain edge are one line; a jump on failure is another", () => {
  const plan = planOf(["a", "b"], ["a>b"]);
  const lines = (jump: "success" | "failure") =>
    createScene(setWay(plan, "a", jump, "b"), nowhere).lines.map(({ key }) => key);
  expect(lines("success")).toEqual(["a#success"]);
  expect(lines("failure")).toEqual(["a>b", "a#failure"]);
});

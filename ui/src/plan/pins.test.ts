// @vitest-environment node
import { expect, test } from "vitest";
import type { NodeRunView } from "@/api/bindings";
import { type PinContext, pinChangeFor } from "./pins";
import { planOf, runOf } from "./planFixture";

const plan = planOf(["a", "b", "c", "d"], ["a>c", "b>c", "c>d"]);
const done = { state: "done", byHand: false } as const;

function ground(
  select: { nodes?: string[]; edges?: string[] },
  change: Record<string, Partial<NodeRunView>> = {},
): PinContext {
  const run = runOf(plan, { a: done, b: done });
  const nodes = run.nodes.map((node) => ({
    ...node,
    artifact: node.state.state === "done" ? `of ${node.node}` : null,
    ...change[node.node],
  }));
  return {
    plan,
    run: { ...run, nodes },
    selection: new Set(select.nodes),
    selectedEdges: new Set(select.edges),
  };
}

const told = (of: PinContext) => {
  const pinning = pinChangeFor(of);
  if ("refusal" in pinning) return pinning.refusal;
  const edges = pinning.edges.map(({ parent, child }) => `${parent}>${child}`).join(" ");
  return [pinning.act, edges, ...pinning.left].join(": ");
};

test.each<[string, PinContext, string]>([
  ["an edge", ground({ edges: ["a>c"] }), "pin: a>c"],
  ["a node: all that it receives", ground({ nodes: ["c"] }), "pin: a>c b>c"],
  [
    "an edge of the node is not meant twice",
    ground({ nodes: ["c"], edges: ["a>c"] }),
    "pin: a>c b>c",
  ],
  ["what is free goes first", ground({ nodes: ["c"] }, { c: { pinned: ["a"] } }), "pin: b>c"],
  ["all pinned", ground({ nodes: ["c"] }, { c: { pinned: ["a", "b"] } }), "unpin: a>c b>c"],
  ["no handoff yet", ground({ nodes: ["d"] }), "Title of c has no handoff yet"],
  ["some of it only", ground({ nodes: ["c", "d"] }), "pin: a>c b>c: Title of c has no handoff yet"],
  [
    "pinned while the parent has nothing any more",
    ground({ nodes: ["d"] }, { d: { pinned: ["c"] } }),
    "unpin: c>d",
  ],
  [
    "already started",
    ground({ nodes: ["c"] }, { c: { state: { state: "running" } } }),
    "Title of c has already started",
  ],
  ["nobody before it", ground({ nodes: ["a"] }), "There are no handoffs to pin"],
  ["nothing selected", ground({}), "Select an edge or a node first"],
  [
    "no run",
    { ...ground({ nodes: ["c"] }), run: undefined },
    "No run is shown, so there is no handoff yet",
  ],
])("pinning %s", (_, of, expected) => {
  expect(told(of)).toBe(expected);
});

test("an earlier moment is only looked at", () => {
  const of = ground({ nodes: ["c"] });
  const past = { index: 0, seq: 1, at: 0 };
  expect(told({ ...of, run: of.run && { ...of.run, past } })).toMatch(/earlier moment/);
});

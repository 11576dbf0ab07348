// @vitest-environment node
import { expect, test } from "vitest";
import type { NodeRunView } from "@/api/bindings";
import { type PinContext, pinChangeFor } from "./pins";
import { planOf, runOf } from "./planFixture";

const plan = planOf(["a", "b", "c", "d"], ["a>c", "b>c", "c>d"]);
const done = { state: "done", byHand: false } as const;

function context(
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

const described = (of: PinContext) => {
  const pinning = pinChangeFor(of);
  if ("refusal" in pinning) return pinning.refusal;
  const edges = pinning.edges.map(({ parent, child }) => `${parent}>${child}`).join(" ");
  return [pinning.act, edges, ...pinning.left].join(": ");
};

test.each<[string, PinContext, string]>([
  ["an edge", context({ edges: ["a>c"] }), "pin: a>c"],
  ["a node: all its incoming edges", context({ nodes: ["c"] }), "pin: a>c b>c"],
  [
    "an edge of a selected node counts once",
    context({ nodes: ["c"], edges: ["a>c"] }),
    "pin: a>c b>c",
  ],
  [
    "unpinned handoffs are pinned first",
    context({ nodes: ["c"] }, { c: { pinned: ["a"] } }),
    "pin: b>c",
  ],
  ["all pinned", context({ nodes: ["c"] }, { c: { pinned: ["a", "b"] } }), "unpin: a>c b>c"],
  ["no handoff yet", context({ nodes: ["d"] }), "Title of c has no handoff yet"],
  [
    "only some can be pinned",
    context({ nodes: ["c", "d"] }),
    "pin: a>c b>c: Title of c has no handoff yet",
  ],
  [
    "pinned, but the parent has no handoff any more",
    context({ nodes: ["d"] }, { d: { pinned: ["c"] } }),
    "unpin: c>d",
  ],
  [
    "already started",
    context({ nodes: ["c"] }, { c: { state: { state: "running" } } }),
    "Title of c has already started",
  ],
  ["no parents", context({ nodes: ["a"] }), "There are no handoffs to pin"],
  ["nothing selected", context({}), "Select an edge or a node first"],
  [
    "no run",
    { ...context({ nodes: ["c"] }), run: undefined },
    "No run is shown, so there is no handoff yet",
  ],
])("pinning %s", (_, of, expected) => {
  expect(described(of)).toBe(expected);
});

test("nothing can be pinned at an earlier moment", () => {
  const of = context({ nodes: ["c"] });
  const past = { index: 0, seq: 1, at: 0 };
  expect(described({ ...of, run: of.run && { ...of.run, past } })).toMatch(/earlier moment/);
});

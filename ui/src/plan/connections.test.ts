// @vitest-environment node
import { describe, expect, test } from "vitest";
import {
  applyConnections,
  connectionsTo,
  draggedNodes,
  endsRefusedByAll,
  joinPlace,
  skippedText,
} from "./connections";
import { planOf } from "./planFixture";

const plain = planOf(["a", "b", "fork", "end"], ["a>end"]);
const kind = { kind: "condition", condition: "true", trueStep: null, falseStep: null } as const;
const plan = {
  ...plain,
  nodes: plain.nodes.map((node) => (node.id === "fork" ? { ...node, kind } : node)),
};

test("a condition among several nodes uses its free branch, and the end itself is left out", () => {
  const { connections, skipped } = connectionsTo(plan, ["a", "b", "fork", "end"], "parent", "end");
  expect(skipped).toBe("1 is already connected");
  const after = applyConnections(plan, connections);
  expect(after.edges.slice(1)).toEqual([{ parent: "b", child: "end", soft: false }]);
  expect(after.nodes[2]?.kind).toMatchObject({ trueStep: "end", falseStep: null });
});

test("several nodes become children of one", () => {
  const { connections } = connectionsTo(plan, ["b", "end"], "child", "fork");
  expect(connections).toEqual([
    { parent: "fork", child: "b" },
    { parent: "fork", child: "end" },
  ]);
});

test.each<[Parameters<typeof skippedText>[0], string]>([
  [[], ""],
  [["duplicate"], "1 is already connected"],
  [["duplicate", "duplicate", "cycle"], "2 are already connected and 1 would create a cycle"],
  [["cycle", "cycle", "note"], "2 would create a cycle and 1 is a note"],
  [["note", "note"], "2 are notes"],
])("skipped connections %# are summarized", (skipped, expected) => {
  expect(skippedText(skipped)).toBe(expected);
});

test("nodes that are gone are not connected", () => {
  expect(connectionsTo(plan, ["b", "gone"], "parent", "end")).toEqual({
    connections: [{ parent: "b", child: "end", condition: undefined }],
    skipped: "",
  });
});

const withNote = {
  ...plain,
  nodes: plain.nodes.map((node) =>
    node.id === "b" ? { ...node, kind: { kind: "note" as const, text: "" } } : node,
  ),
};

test("a note as the target is refused for itself, not for the nodes", () => {
  expect(connectionsTo(withNote, ["a", "fork", "end"], "parent", "b")).toEqual({
    connections: [],
    skipped: "notes have no dependencies",
  });
});

test("the ends refused by all are those that nothing can be connected to", () => {
  const chain = planOf(["a", "b", "c", "d", "e"], ["a>b", "b>c", "c>d"]);
  for (const as of ["parent", "child"] as const)
    for (const nodes of [["a", "b"], ["b", "d"], ["c", "d", "e"], ["e"]]) {
      const none = chain.nodes.filter(
        ({ id }) => connectionsTo(chain, nodes, as, id).connections.length === 0,
      );
      const refused = [...endsRefusedByAll(chain, nodes, as, undefined)];
      expect(refused.sort()).toEqual(none.map(({ id }) => id));
    }
});

test("a selected note refuses no ends", () => {
  const refused = endsRefusedByAll(withNote, ["a", "b"], "parent", undefined);
  expect(refused).toEqual(endsRefusedByAll(withNote, ["a"], "parent", undefined));
  // As the note refuses only its own kind, everything would have been dimmed with it alone.
  expect(endsRefusedByAll(withNote, ["b"], "parent", undefined)).toEqual(new Set());
});

describe("with 5,000 selected nodes of a plan of 5,000", () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `n${at}`);
  const chain = planOf(
    names,
    names.slice(1).map((name, at) => `n${at}>${name}`),
  );

  // If each node were searched for by itself, these would exceed the timeout of the test.
  test("the edges to one node are checked at every pointer move", () => {
    for (let move = 0; move < 50; move += 1) {
      const { connections, skipped } = connectionsTo(chain, names, "parent", "n2500");
      expect(connections).toHaveLength(2_499);
      expect(skipped).toBe("1 is already connected and 2,499 would create a cycle");
    }
  });

  test("no node is dimmed", () => {
    expect(endsRefusedByAll(chain, names, "parent", undefined)).toEqual(new Set());
  });
});

test("a branch is drawn from its own node only", () => {
  const selection = new Set(["a", "fork"]);
  expect(draggedNodes("fork", selection, undefined)).toEqual(["a", "fork"]);
  expect(draggedNodes("fork", selection, "true")).toEqual(["fork"]);
  expect(draggedNodes("b", selection, undefined)).toEqual(["b"]);
});

test("the place after several nodes follows the direction of the plan", () => {
  const places = [
    { x: 0, y: 0 },
    { x: 300, y: 400 },
  ];
  expect(joinPlace(places, undefined)).toEqual({ x: 300, y: 200 });
  expect(joinPlace(places, "top_down")).toEqual({ x: 150, y: 400 });
  expect(joinPlace([], undefined)).toBeUndefined();
});

// @vitest-environment node
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { NodeId, Plan } from "@/api/bindings";
import { conditionalEdgesIn, type EdgeCondition } from "./conditionalEdges";
import { changeNode, setWay } from "./edits";
import { blankKind } from "./kinds";
import { planOf } from "./planFixture";
import { adjacencyOf, pathBetween, reachable } from "./reachability";
import { removeAndReconnect } from "./removeAndReconnect";

const drawn = (plan: Plan) =>
  plan.edges.map(({ parent, child, soft }) => `${parent}${soft ? "~" : ">"}${child}`);

function plan(names: string, edges: string): Plan {
  const read = edges.split(" ").filter(Boolean);
  const bare = planOf(
    [...names],
    read.map((edge) => edge.replace("~", ">")),
  );
  return {
    ...bare,
    edges: bare.edges.map((edge, at) => ({ ...edge, soft: read[at]?.includes("~") === true })),
  };
}

interface Case {
  name: string;
  /** One letter each. */
  nodes: string;
  /** `a>b`, or `a~b` if soft */
  edges: string[];
  /** `a>b true` */
  ways?: string[];
  gone: string;
  left: string[];
  ways_left?: string[];
}

/** The model's own test cases, so that the window and other programs delete in the same way. */
const file = path.resolve(import.meta.dirname, "../../../tests/fixtures/node_removal.json");
const cases: Case[] = JSON.parse(readFileSync(file, "utf8"));

function planFor({ nodes, edges, ways = [] }: Case): Plan {
  return ways.reduce(
    (before, way) => {
      const [ends = "", kind] = way.split(" ");
      const [parent = "", child = ""] = ends.split(">");
      const branches = kind === "true" || kind === "false";
      const forked = changeNode(before, parent, (node) =>
        branches && node.kind.kind !== "condition"
          ? { ...node, kind: blankKind("condition") }
          : node,
      );
      return setWay(forked, parent, kind as EdgeCondition, child);
    },
    plan(nodes, edges.join(" ")),
  );
}

describe("deleting and reconnecting", () => {
  test.each(cases)("$name", (given) => {
    const after = removeAndReconnect(planFor(given), new Set(given.gone));
    expect(drawn(after)).toEqual(given.left);
    const ways = conditionalEdgesIn(after);
    expect(ways.map(({ parent, child, kind }) => `${parent}>${child} ${kind}`)).toEqual(
      given.ways_left ?? [],
    );
  });

  test("deleting nothing changes nothing", () => {
    const before = plan("ab", "a>b");
    expect(removeAndReconnect(before, new Set())).toBe(before);
  });

  test("reachability is unchanged, and no cycle arises", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const chance = chanceOf(seed);
      const names = "abcdefgh".slice(0, 3 + chance(6));
      const edges: string[] = [];
      for (let child = 1; child < names.length; child += 1)
        for (let parent = 0; parent < child; parent += 1)
          if (chance(3) === 0)
            edges.push(`${names[parent]}${chance(3) === 0 ? "~" : ">"}${names[child]}`);
      const before = plan(names, edges.join(" "));
      const gone = new Set([...names].filter(() => chance(3) === 0));
      const after = removeAndReconnect(before, gone);
      for (const { id } of after.nodes) {
        const reached = [...reachable(adjacencyOf(before).childrenOf, id)];
        const left = reached.filter((node: NodeId) => !gone.has(node)).sort();
        const now = reachable(adjacencyOf(after).childrenOf, id);
        expect([...now].sort(), `${edges} without ${[...gone]} from ${id}`).toEqual(left);
        for (const child of adjacencyOf(after).childrenOf.get(id) ?? [])
          expect(pathBetween(adjacencyOf(after), child, id)).toBeUndefined();
      }
      expect(new Set(after.edges.map(({ parent, child }) => parent + child)).size).toBe(
        after.edges.length,
      );
    }
  });
});

function chanceOf(seed: number) {
  let state = seed * 2654435761;
  return (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

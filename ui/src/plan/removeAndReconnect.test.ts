// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { NodeId, Plan } from "@/api/bindings";
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

describe("deleting and reconnecting", () => {
  test.each([
    ["closes a chain", "abc", "a>b b>c", "b", ["a>c"]],
    [
      "connects parents and children, without duplicates",
      "abcd",
      "a>c b>c c>d a>d",
      "c",
      ["a>d", "b>d"],
    ],
    ["a soft edge makes the whole chain soft", "abc", "a>b b~c", "b", ["a~c"]],
    ["a parallel hard chain wins", "abcd", "a>b b~d a>c c>d", "bc", ["a>d"]],
    ["an existing soft edge becomes hard", "abc", "a>b b>c a~c", "b", ["a>c"]],
    ["an existing hard edge stays hard", "abc", "a~b b>c a>c", "b", ["a>c"]],
    ["several consecutive nodes are removed together", "abcd", "a>b b>c c>d", "bc", ["a>d"]],
    ["removing the first and last leaves no edges", "abc", "a>b b>c", "ac", []],
  ])("%s", (_, names, edges, gone, expected) => {
    expect(drawn(removeAndReconnect(plan(names, edges), new Set(gone)))).toEqual(expected);
  });

  test("a branch moves to the first child, others wait for the condition", () => {
    let fork = plan("abcd", "b>c b>d");
    fork = changeNode(fork, "a", (node) => ({ ...node, kind: blankKind("condition") }));
    fork = setWay(fork, "a", "true", "b");
    const healed = removeAndReconnect(fork, new Set(["b"]));
    expect(healed.nodes[0]?.kind).toMatchObject({ trueStep: "c" });
    expect(drawn(healed)).toEqual(["a>d"]);
  });

  test("failure jumps are dropped, success jumps are kept", () => {
    let jumps = plan("abcd", "a>b");
    jumps = setWay(setWay(jumps, "b", "success", "c"), "b", "failure", "d");
    expect(drawn(removeAndReconnect(jumps, new Set(["b"])))).toEqual(["a>c"]);
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

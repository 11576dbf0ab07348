// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { Plan } from "@/api/bindings";
import { changeNode, place, setWay } from "@/plan/edits";
import { makeGroup } from "@/plan/groups";
import { blankKind } from "@/plan/kinds";
import { planOf } from "@/plan/planFixture";
import { collapsedGroupOf, collapseGroups, expandIds, expandPositions } from "./collapseGroups";
import { frameAt, framesOf, groupChangesOnDrop } from "./frames";
import { lineAt } from "./lineAt";
import { createScene } from "./scene";

const nowhere = new Map();
const at = (x: number, y: number) => ({ x, y });

function placed(plan: Plan, places: Record<string, { x: number; y: number }>): Plan {
  return place(plan, new Map(Object.entries(places)));
}

const chain = placed(planOf(["a", "b", "c", "d"], ["a>b", "b>c", "c>d", "a>d"]), {
  a: at(0, 0),
  b: at(300, 40),
  c: at(600, 20),
  d: at(900, 0),
});
const grouped = makeGroup(chain, "G", new Set(["b", "c"]));
const drawn = (plan: Pick<Plan, "edges">) =>
  plan.edges.map(({ parent, child, soft }) => `${parent}${soft ? "~" : ">"}${child}`);

describe("a collapsed group", () => {
  const folded = collapseGroups(grouped, new Set(["G"]), nowhere);

  test("is one card at the group's corner, with the edges of its members", () => {
    expect(folded.nodes.map((node) => node.id)).toEqual(["a", "d", "G"]);
    expect(folded.nodes.at(-1)?.position).toEqual(at(300, 20));
    expect(drawn(folded)).toEqual(["a>G", "G>d", "a>d"]);
    expect(folded.nodes.map(collapsedGroupOf).map((group) => group?.title)).toEqual([
      undefined,
      undefined,
      "Group",
    ]);
  });

  test("keeps the identity of everything else", () => {
    expect(folded.nodes[0]).toBe(grouped.nodes[0]);
    const again = collapseGroups(
      { ...grouped, edges: [...grouped.edges] },
      new Set(["G"]),
      nowhere,
    );
    expect(again.nodes[2]).toBe(folded.nodes[2]);
    expect(collapseGroups(grouped, new Set(), nowhere).nodes).toBe(grouped.nodes);
  });

  test("has a hard edge if any member has one, and takes over branches and jumps", () => {
    let plan = placed(planOf(["a", "b", "c", "d"], ["a>b", "a>c"]), {});
    plan = { ...plan, edges: plan.edges.map((edge, n) => ({ ...edge, soft: n === 0 })) };
    plan = makeGroup(plan, "G", new Set(["b", "c"]));
    plan = changeNode(plan, "a", (node) => ({ ...node, kind: blankKind("condition") }));
    plan = setWay(setWay(plan, "d", "failure", "b"), "c", "success", "d");
    const { nodes, edges } = collapseGroups(plan, new Set(["G"]), nowhere);
    expect(drawn({ edges })).toEqual(["a>G", "G>d"]);
    expect(nodes.find(({ id }) => id === "d")?.onFailure).toEqual({ node: "G" });
    expect(plan.nodes[3]?.onFailure, "the plan is unchanged").toEqual({ node: "b" });
  });

  test("stands for its members when selected or dragged", () => {
    expect(expandIds(folded, ["a", "G"])).toEqual(["a", "b", "c"]);
    const moved = expandPositions(grouped, folded, new Map([["G", at(310, 40)]]), nowhere);
    expect(Object.fromEntries(moved)).toEqual({ b: at(310, 60), c: at(610, 40) });
    const plain = new Map([["a", at(1, 1)]]);
    expect(expandPositions(grouped, folded, plain, nowhere)).toBe(plain);
  });
});

describe("a group frame", () => {
  const scene = createScene(grouped, nowhere);
  const frames = framesOf(grouped.groups, scene, scene, new Map());
  const size = () => ({ width: 220, height: 64 });

  test("has the same margins as in the layout", () => {
    expect(frames[0]?.box).toEqual({ x: 280, y: -28, width: 560, height: 152 });
  });

  test("stays in place while a member is dragged, and moves with all of them", () => {
    const moved = (places: [string, { x: number; y: number }][]) => {
      const moving = new Map(places);
      return framesOf(
        grouped.groups,
        scene,
        createScene(place(grouped, moving), nowhere),
        moving,
      )[0]?.box.y;
    };
    expect(moved([["b", at(300, 400)]])).toBe(-28);
    expect(
      moved([
        ["b", at(300, 140)],
        ["c", at(600, 120)],
      ]),
    ).toBe(72);
  });

  test.each([
    ["into it", "a", at(400, 40), [["a", "G"]]],
    ["within it", "b", at(340, 60), []],
    ["out of it", "b", at(300, 400), [["b", undefined]]],
    ["past it", "a", at(0, 500), []],
  ])("a node that is dropped %s", (_, id, to, expected) => {
    const places = new Map([[id, to]]);
    expect([...groupChangesOnDrop(grouped.groups, frames, places, size)]).toEqual(expected);
  });

  test("that moves as a whole keeps its members", () => {
    const other = makeGroup(grouped, "H", new Set(["a"]));
    const all = framesOf(other.groups, scene, scene, new Map());
    const places = new Map([["a", at(400, 40)]]);
    expect(groupChangesOnDrop(other.groups, all, places, size).size).toBe(0);
  });

  test("nested in another frame wins", () => {
    const inner = {
      group: { id: "I", title: "Inner", color: "gray" as const, nodes: [] },
      box: { x: 300, y: 0, width: 9, height: 9 },
    };
    expect(frameAt([...frames, inner], at(304, 4))?.group.id).toBe("I");
    expect(frameAt([...frames, inner], at(500, 4))?.group.id).toBe("G");
    expect(frameAt(frames, at(0, 0))).toBeUndefined();
  });
});

describe("a line at a point", () => {
  const scene = createScene(chain, nowhere);
  test.each([
    ["on the curve", at(260, 52), "a>b"],
    ["a little beside it", at(262, 70), "a>b"],
    ["too far from any", at(260, 300), undefined],
    ["nearer to the long one", at(560, 32), "a>d"],
  ])("%s", (_, place, expected) => {
    expect(lineAt(scene, place)?.key).toBe(expected);
  });

  test("is only found if the filter accepts it", () => {
    expect(lineAt(scene, at(260, 52), ({ key }) => key !== "a>b")?.key).toBe("a>d");
  });
});

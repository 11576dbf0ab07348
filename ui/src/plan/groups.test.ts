import { describe, expect, it } from "vitest";
import { removeNodes } from "./edits";
import { colorGroup, dissolveGroups, groupOf, makeGroup, moveToGroup, renameGroup } from "./groups";
import { planOf } from "./planFixture";

const members = (plan: ReturnType<typeof planOf>) =>
  plan.groups.map((group) => `${group.id}:${group.nodes.join("")}`);
const start = makeGroup(planOf(["a", "b", "c", "d"], []), "G", new Set(["b", "a"]));

describe("groups", () => {
  it("keep their nodes in plan order, each node in one group", () => {
    expect(members(start)).toEqual(["G:ab"]);
    expect(members(makeGroup(start, "H", new Set(["b", "c"])))).toEqual(["G:a", "H:bc"]);
    expect(makeGroup(start, "H", new Set())).toBe(start);
  });

  it("are removed with their last node, and keep their nodes when dissolved", () => {
    expect(members(makeGroup(start, "H", new Set(["a", "b"])))).toEqual(["H:ab"]);
    expect(members(removeNodes(start, new Set(["a"])))).toEqual(["G:b"]);
    expect(members(removeNodes(start, new Set(["a", "b"])))).toEqual([]);
    const dissolved = dissolveGroups(start, new Set(["G"]));
    expect(dissolved.nodes).toBe(start.nodes);
    expect(members(dissolved)).toEqual([]);
    expect(dissolveGroups(start, new Set(["H"]))).toBe(start);
  });

  it("can be joined and left", () => {
    const both = makeGroup(start, "H", new Set(["d"]));
    expect(members(moveToGroup(both, new Set(["a", "c", "d"]), "H"))).toEqual(["G:b", "H:dac"]);
    expect(members(moveToGroup(both, new Set(["d"]), undefined))).toEqual(["G:ab"]);
    expect(moveToGroup(both, new Set(["a"]), "G")).toBe(both);
    expect(moveToGroup(both, new Set(["c"]), undefined)).toBe(both);
  });

  it("can be renamed and colored", () => {
    expect(renameGroup(start, "G", " Two\nlines ").groups[0]?.title).toBe("Two lines");
    expect(renameGroup(start, "G", " ")).toBe(start);
    expect(colorGroup(start, "G", "teal").groups[0]?.color).toBe("teal");
    expect(colorGroup(start, "G", "gray")).toBe(start);
    expect(groupOf(start, "c")).toBeUndefined();
  });

  it("never lose a node, whatever the operations", () => {
    let plan = planOf(["a", "b", "c", "d", "e"], []);
    const nodes = plan.nodes.map((node) => node.id);
    let seed = 7;
    const chance = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    for (let number = 0; number < 400; number += 1) {
      const some = new Set(nodes.filter(() => chance(2) === 0));
      const group = plan.groups[chance(plan.groups.length + 1)]?.id;
      if (chance(3) === 0) plan = makeGroup(plan, `g${number}`, some);
      else if (chance(4) === 0) plan = dissolveGroups(plan, new Set([group ?? ""]));
      else plan = moveToGroup(plan, some, group);
      expect(plan.nodes.map((node) => node.id)).toEqual(nodes);
      const grouped = plan.groups.flatMap((one) => one.nodes);
      expect(new Set(grouped).size).toBe(grouped.length);
      expect(plan.groups.every((one) => one.nodes.length > 0)).toBe(true);
    }
  });
});

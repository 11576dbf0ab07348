// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { Plan } from "@/api/bindings";
import { place, setWay } from "./edits";
import { makeInsertionRoom } from "./insertionRoom";
import { planOf } from "./planFixture";

type Places = Record<string, [number, number]>;

function placed(edges: string[], places: Places): Plan {
  const at = Object.entries(places).map(([id, [x, y]]) => [id, { x, y }] as const);
  return place(planOf(Object.keys(places), edges), new Map(at));
}

const chain = ["a>b", "b>c"];
const ends = { parent: "a", child: "b" };
const roomIn = (plan: Plan, x: number, y = 0, inserted?: string) => {
  const { at, moved } = makeInsertionRoom(plan, ends, { x, y }, inserted);
  return {
    at: [at.x, at.y],
    moved: Object.fromEntries([...moved].map(([id, to]) => [id, [to.x, to.y]])),
  };
};

describe("a node inserted into an edge", () => {
  test.each<[string, Places, number, [number, number], Places]>([
    ["stays where it fits", { a: [0, 0], b: [600, 0], c: [900, 0] }, 300, [300, 0], {}],
    [
      "pushes the child and what follows by the missing space",
      { a: [0, 0], b: [300, 40], c: [600, -40] },
      150,
      [284, 0],
      { b: [568, 40], c: [868, -40] },
    ],
    [
      "that is dropped at the end of a wide edge pushes as little as needed",
      { a: [0, 0], b: [600, 0], c: [900, 0] },
      400,
      [400, 0],
      { b: [684, 0], c: [984, 0] },
    ],
    [
      "goes to a free place when the child isn't ahead of the parent",
      { a: [300, 0], b: [0, 0], c: [600, 200] },
      150,
      [152, 92],
      {},
    ],
  ])("%s", (_, places, wish, at, moved) => {
    expect(roomIn(placed(chain, places), wish)).toEqual({ at, moved });
  });

  test("leaves parallel branches alone, and pushes what a moved node would cover", () => {
    const plan = placed(["a>b", "a>d"], {
      a: [0, 0],
      b: [300, 0],
      c: [0, 300],
      d: [300, 200],
      near: [600, 0],
      nearer: [900, 20],
      far: [5_000, 0],
    });
    expect(roomIn(plan, 150).moved).toEqual({
      b: [568, 0],
      near: [868, 0],
      nearer: [1_168, 20],
    });
  });

  test("never covers a node beside the edge", () => {
    const plan = placed(chain, { a: [0, 0], b: [900, 0], c: [1_200, 0], beside: [400, 20] });
    expect(roomIn(plan, 420)).toEqual({ at: [420, 184], moved: {} });
  });

  test("is not in its own way, and pushes downward where the plan reads downward", () => {
    const plan = placed(chain, { a: [0, 0], b: [0, 128], c: [0, 256], own: [40, 64] });
    const { at, moved } = roomIn({ ...plan, direction: "top_down" }, 0, 64, "own");
    expect(at).toEqual([0, 128]);
    expect(moved).toEqual({ b: [0, 256], c: [0, 384] });
  });

  test("ends although a jump leads back to its parent", () => {
    const plan = setWay(
      placed(chain, { a: [0, 0], b: [300, 0], c: [600, 0] }),
      "c",
      "failure",
      "a",
    );
    expect(roomIn(plan, 150).moved, "none comes only after the edge").toEqual({});
  });
});

test("10,000 nodes in a row make room without covering each other", () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `n${at}`);
  const plan = planOf(
    names,
    names.slice(1).map((name, at) => `n${at}>${name}`),
  );
  const { moved } = makeInsertionRoom(plan, { parent: "n0", child: "n1" }, { x: 150, y: 0 });
  expect(moved.size).toBe(9_999);
  expect(new Set([...moved.values()].map(({ x }) => x)).size).toBe(9_999);
});

// @vitest-environment node
import { expect, test } from "vitest";
import { planOf } from "@/plan/planFixture";
import { dropIndexAt, moveByOne } from "./reorder";

const plan = planOf(["a", "b", "c", "d"], []);
const order = (of: typeof plan) => of.nodes.map((node) => node.id).join("");

test("rows move by one and stop at the ends", () => {
  expect(order(moveByOne(plan, new Set(["b"]), -1))).toBe("bacd");
  expect(order(moveByOne(plan, new Set(["b"]), 1))).toBe("acbd");
  expect(moveByOne(plan, new Set(["a"]), -1)).toBe(plan);
  expect(moveByOne(plan, new Set(["d"]), 1)).toBe(plan);
});

test("several rows move together as a block", () => {
  expect(order(moveByOne(plan, new Set(["b", "c"]), 1))).toBe("adbc");
  expect(order(moveByOne(plan, new Set(["a", "d"]), -1))).toBe("adbc");
});

test("the gap is the nearest boundary between rows", () => {
  expect([-50, 0, 13, 15, 43, 900].map((y) => dropIndexAt(y, 28, 4))).toEqual([0, 0, 0, 1, 2, 4]);
});

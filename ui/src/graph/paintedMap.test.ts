// @vitest-environment node
import { expect, test } from "vitest";
import type { Group } from "@/api/bindings";
import { countingBrush, namedPaints } from "./brushFixture";
import { wholePlan } from "./largePlanFixture";
import { looksOf } from "./looks";
import { type MapSubject, mapSize, paintAll, placed } from "./paintedMap";
import { sceneOf } from "./scene";

const scene = sceneOf(wholePlan(300), new Map());
const group: Group = { id: "g", title: "Group", colour: "green", nodes: ["n0"] };
const subject: MapSubject = {
  scene,
  looks: looksOf(scene, new Map()).nodes,
  frames: [{ group, box: { x: 0, y: 0, width: 500, height: 500 } }],
  critical: new Set([3, 4]),
};

test("a plan lies in the middle of the map, whole, with room around it", () => {
  const bounds = { x: -1_000, y: 200, width: 4_000, height: 1_000 };
  const { scale, x, y } = placed(bounds);
  const [left, right] = [bounds.x * scale + x, (bounds.x + bounds.width) * scale + x];
  const [top, bottom] = [bounds.y * scale + y, (bounds.y + bounds.height) * scale + y];
  expect(left).toBeGreaterThan(0);
  expect(left).toBeCloseTo(mapSize.width - right);
  expect(top).toBeCloseTo(mapSize.height - bottom);
});

test("groups lie below the nodes, and the critical path over them", () => {
  const { brush, calls } = countingBrush();
  paintAll(brush, subject, 0.01, namedPaints);
  const fills = calls.map(({ fill }) => fill);
  expect(fills.length).toBe(303);
  expect(fills[0]).toBe("green ground");
  expect(fills.slice(-2)).toEqual(["critical", "critical"]);
  expect(new Set(fills.slice(1, -2))).toEqual(new Set(["untouched"]));
});

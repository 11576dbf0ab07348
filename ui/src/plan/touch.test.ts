// @vitest-environment node
import { getBezierPath } from "@xyflow/react";
import { expect, test } from "vitest";
import type { Direction } from "@/api/bindings";
import { cardSize } from "./geometry";
import { handlesOf, outletOf } from "./handles";
import { planOf } from "./planFixture";
import { curveBetween, inletOn, outletOn } from "./touch";
import type { WayKind } from "./ways";

const readings: Direction[] = ["left_right", "top_down"];
const ways: (WayKind | undefined)[] = [undefined, "true", "false", "success", "failure"];
const places = [
  { x: 300, y: 140 },
  { x: -300, y: 20 },
  { x: 10, y: -200 },
];

test.each(readings.flatMap((reading) => ways.map((way) => [reading, way] as const)))(
  "the curve of a plan that reads %s, way %s, is the one of the elements",
  (reading, way) => {
    const from = { x: 0, y: 0, ...cardSize };
    for (const place of places) {
      const to = { ...place, ...cardSize };
      const [start, first, last, end] = curveBetween(from, to, reading, way);
      const [path] = getBezierPath({
        sourceX: start.x,
        sourceY: start.y,
        sourcePosition: outletOn(from, reading, way).side,
        targetX: end.x,
        targetY: end.y,
        targetPosition: inletOn(to, reading).side,
      });
      expect(path).toBe(
        `M${start.x},${start.y} C${first.x},${first.y} ${last.x},${last.y} ${end.x},${end.y}`,
      );
    }
  },
);

test.each(readings)("handles of a plan that reads %s touch where its curves do", (reading) => {
  const [node] = planOf(["a"], []).nodes;
  const kind = { kind: "condition", condition: "", trueStep: null, falseStep: null } as const;
  const handles = node ? handlesOf({ ...node, kind }, reading) : [];
  for (const way of ways) {
    const { side, at } = outletOn(cardSize, reading, way);
    const handle = handles.find(({ id }) => id === outletOf(way));
    const [width, height] = [handle?.width ?? 0, handle?.height ?? 0];
    const outer = {
      right: { x: (handle?.x ?? 0) + width, y: (handle?.y ?? 0) + height / 2 },
      bottom: { x: (handle?.x ?? 0) + width / 2, y: (handle?.y ?? 0) + height },
    };
    expect(handle?.position).toBe(side);
    expect(outer[side as "right" | "bottom"]).toEqual(at);
  }
});

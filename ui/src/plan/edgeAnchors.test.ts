// @vitest-environment node
import { getBezierPath } from "@xyflow/react";
import { expect, test } from "vitest";
import type { Direction } from "@/api/bindings";
import type { EdgeCondition } from "./conditionalEdges";
import { edgeCurve, sourceAnchor, targetAnchor } from "./edgeAnchors";
import { cardSize } from "./geometry";
import { handlesOf, sourceHandleId } from "./handles";
import { planOf } from "./planFixture";

const readings: Direction[] = ["left_right", "top_down"];
const conditions: (EdgeCondition | undefined)[] = [
  undefined,
  "true",
  "false",
  "success",
  "failure",
];
const places = [
  { x: 300, y: 140 },
  { x: -300, y: 20 },
  { x: 10, y: -200 },
];

test.each(
  readings.flatMap((reading) => conditions.map((condition) => [reading, condition] as const)),
)("the curve for reading %s, condition %s, matches React Flow's", (reading, condition) => {
  const from = { x: 0, y: 0, ...cardSize };
  for (const place of places) {
    const to = { ...place, ...cardSize };
    const [start, first, last, end] = edgeCurve(from, to, reading, condition);
    const [path] = getBezierPath({
      sourceX: start.x,
      sourceY: start.y,
      sourcePosition: sourceAnchor(from, reading, condition).side,
      targetX: end.x,
      targetY: end.y,
      targetPosition: targetAnchor(to, reading).side,
    });
    expect(path).toBe(
      `M${start.x},${start.y} C${first.x},${first.y} ${last.x},${last.y} ${end.x},${end.y}`,
    );
  }
});

test.each(readings)("handles for reading %s are where the curves end", (reading) => {
  const [node] = planOf(["a"], []).nodes;
  const kind = { kind: "condition", condition: "", trueStep: null, falseStep: null } as const;
  const handles = node ? handlesOf({ ...node, kind }, reading) : [];
  for (const condition of conditions) {
    const { side, at } = sourceAnchor(cardSize, reading, condition);
    const handle = handles.find(({ id }) => id === sourceHandleId(condition));
    const [width, height] = [handle?.width ?? 0, handle?.height ?? 0];
    const outer = {
      right: { x: (handle?.x ?? 0) + width, y: (handle?.y ?? 0) + height / 2 },
      bottom: { x: (handle?.x ?? 0) + width / 2, y: (handle?.y ?? 0) + height },
    };
    expect(handle?.position).toBe(side);
    expect(outer[side as "right" | "bottom"]).toEqual(at);
  }
});

// @vitest-environment node
import { expect, test } from "vitest";
import { planOf } from "@/blueprint/planFixture";
import { nodeAt } from "./nodeAt";
import { toFlow } from "./toFlow";

const flow = toFlow({
  plan: planOf(["a", "b"], []),
  run: undefined,
  selection: new Set(),
  selectedEdges: new Set(),
  moving: new Map([["b", { x: 100, y: 30 }]]),
  fallback: new Map(),
  problems: new Map(),
  refused: new Set(),
  renaming: undefined,
  planTitles: new Map(),
});

test("the upper of two nodes is hit, and nothing beside them", () => {
  expect(nodeAt(flow, { x: 10, y: 10 })).toBe("a");
  expect(nodeAt(flow, { x: 150, y: 50 })).toBe("b");
  expect(nodeAt(flow, { x: 400, y: 50 })).toBeUndefined();
});

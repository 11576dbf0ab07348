// @vitest-environment node
import { afterEach, expect, test, vi } from "vitest";
import type { Group } from "@/api/bindings";
import { wholePlan } from "@/plan/largePlanFixture";
import { computeAppearances } from "./appearances";
import { createRecordingContext, namedCanvasColors } from "./canvasContextFixture";
import {
  fitInMinimap,
  type MinimapInput,
  minimapSize,
  paintMinimap,
  paintMinimapNodes,
} from "./paintMinimap";
import { createScene } from "./scene";

const scene = createScene(wholePlan(300), new Map());
const group: Group = { id: "g", title: "Group", color: "green", nodes: ["n0"] };
const subject: MinimapInput = {
  scene,
  appearances: computeAppearances(scene, new Map()).nodes,
  frames: [{ group, box: { x: 0, y: 0, width: 500, height: 500 } }],
  critical: new Set([3, 4]),
};

afterEach(() => vi.unstubAllGlobals());

test("a plan is centered in the map, whole, with a margin", () => {
  const bounds = { x: -1_000, y: 200, width: 4_000, height: 1_000 };
  const { scale, x, y } = fitInMinimap(bounds);
  const [left, right] = [bounds.x * scale + x, (bounds.x + bounds.width) * scale + x];
  const [top, bottom] = [bounds.y * scale + y, (bounds.y + bounds.height) * scale + y];
  expect(left).toBeGreaterThan(0);
  expect(left).toBeCloseTo(minimapSize.width - right);
  expect(top).toBeCloseTo(minimapSize.height - bottom);
});

test("groups are below the nodes, and the critical path above them", () => {
  const { context, calls } = createRecordingContext();
  paintMinimapNodes(context, subject, 0.01, namedCanvasColors);
  const fills = calls.map(({ fill }) => fill);
  expect(fills.length).toBe(303);
  expect(fills[0]).toBe("green ground");
  expect(fills.slice(-2)).toEqual(["critical", "critical"]);
  expect(new Set(fills.slice(1, -2))).toEqual(new Set(["untouched"]));
});

test("repainting clears the map and keeps its memory", () => {
  vi.stubGlobal("window", { devicePixelRatio: 2 });
  const { context, calls } = createRecordingContext();
  const sizes: number[] = [];
  const canvas = {
    get width() {
      return sizes.at(-1) ?? 0;
    },
    set width(given: number) {
      sizes.push(given);
    },
    height: 0,
    getContext: () => context,
  } as unknown as HTMLCanvasElement;
  paintMinimap(canvas, subject, namedCanvasColors);
  paintMinimap(canvas, subject, namedCanvasColors);
  expect(sizes).toEqual([2 * minimapSize.width]);
  expect(canvas.height).toBe(2 * minimapSize.height);
  const named = calls.map(({ name }) => name).filter((name) => name !== "setTransform");
  expect(named.filter((name) => name === "clearRect")).toHaveLength(2);
  expect(named.indexOf("clearRect", 1), "cleared before repainting").toBe(304);
});

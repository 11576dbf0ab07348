import { expect, test } from "vitest";
import type { GraphThumbnail, NodeStatus } from "@/api/bindings";
import { runSummaryOf, summaryOf } from "@/plan/planSummaryFixture";
import { cardThumbnail, pictureSize } from "./cardThumbnail";

/** Nodes at these places on the canvas, each linked to the next. */
function graphOf(...places: [number, number][]): GraphThumbnail {
  return {
    width: Math.max(0, ...places.map(([x]) => x)) + 220,
    height: Math.max(0, ...places.map(([, y]) => y)) + 64,
    blockWidth: 220,
    blockHeight: 64,
    blocks: places.map(([x, y]) => ({ x, y, nodes: 1, isAgent: false })),
    links: places.slice(1).map((_, at) => [at, at + 1]),
  };
}

function ranOf(progress: NodeStatus[], version = 1) {
  const tally = { settled: 0, total: progress.length };
  return summaryOf("p", { lastRun: runSummaryOf("p", { progress, version }), tally });
}

test("a small graph keeps its proportions and is in the middle", () => {
  const { shapes, width, height, links } = cardThumbnail(graphOf([0, 0], [300, 0]), summaryOf("p"));
  expect([width, height]).toEqual([44, 12.8]);
  expect(shapes.map(({ x, y }) => [x, y])).toEqual([
    [80, 25.6],
    [140, 25.6],
  ]);
  expect(links).toBe("M102 32L162 32");
});

test.each([
  ["a long row", (at: number): [number, number] => [at * 300, 0]],
  ["a high column", (at: number): [number, number] => [0, at * 140]],
  ["a large field", (at: number): [number, number] => [(at % 8) * 3_000, at * 2_000]],
])("%s stays inside the picture", (_, place) => {
  const graph = graphOf(...Array.from({ length: 40 }, (_, at) => place(at)));
  const { shapes, width, height } = cardThumbnail(graph, summaryOf("p"));
  for (const { x, y } of shapes) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(pictureSize.width + 0.2);
    expect(y + height).toBeLessThanOrEqual(pictureSize.height + 0.2);
  }
});

test("shapes have the states of the last run of this version only", () => {
  const graph = graphOf([0, 0], [300, 0]);
  const states = (plan = summaryOf("p")) =>
    cardThumbnail(graph, plan).shapes.map(({ state }) => state);
  expect(states(ranOf(["done", "failed_skipped"]))).toEqual(["done", "failed"]);
  expect(states(ranOf(["done", "failed"], 2)), "another version").toEqual([undefined, undefined]);
  expect(states(ranOf(["done"])), "other nodes").toEqual([undefined, undefined]);
  expect(states(), "no run").toEqual([undefined, undefined]);
});

test("a block of many nodes has a density and no state", () => {
  const graph = graphOf([0, 0], [300, 0]);
  const blocks = graph.blocks.map((block, at) => ({ ...block, nodes: at === 0 ? 10 : 40 }));
  // A condensed progress may have as many entries as there are blocks.
  const plan = { ...ranOf(["done", "failed"]), tally: { settled: 9, total: 50 } };
  const { shapes } = cardThumbnail({ ...graph, blocks }, plan);
  expect(shapes.map(({ density, state }) => [density, state])).toEqual([
    [0.25, undefined],
    [1, undefined],
  ]);
});

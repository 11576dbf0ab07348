import { expect, test } from "vitest";
import { planOf } from "./planFixture";
import { createThumbnail } from "./thumbnailData";

test("the thumbnail starts at the upper left node and contains every edge between placed nodes", () => {
  const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);
  const nodes = plan.nodes.map((node) =>
    node.id === "c"
      ? { ...node, position: null }
      : { ...node, position: { x: node.id === "a" ? -50 : 250, y: 40 } },
  );
  const picture = createThumbnail({ ...plan, nodes });
  expect(picture.nodes.map(({ id, x, y }) => [id, x, y])).toEqual([
    ["a", 0, 0],
    ["b", 300, 0],
  ]);
  expect(picture.edges).toHaveLength(1);
  expect([picture.width, picture.height]).toEqual([520, 64]);
});

test("a plan without nodes is an empty thumbnail with a size", () => {
  expect(createThumbnail(planOf([], []))).toEqual({ width: 220, height: 64, nodes: [], edges: [] });
});

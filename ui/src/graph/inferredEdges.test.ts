import { expect, test } from "vitest";
import { planOf } from "@/plan/planFixture";
import { createScene } from "./scene";
import { toEdges } from "./toEdges";

test("an inferred edge says so, and is drawn anew once it is confirmed", () => {
  const plan = planOf(["a", "b"], ["a>b"]);
  const inferred = { ...plan, edges: plan.edges.map((edge) => ({ ...edge, inferred: true })) };
  const draw = (of: typeof plan, before?: ReturnType<typeof toEdges>) =>
    toEdges(
      { scene: createScene(of, new Map()), lines: [0], selectedEdges: new Set() },
      new Map(),
      (id) => id,
      before,
    );
  const [edge] = draw(inferred);
  expect(edge?.data).toMatchObject({ inferred: true, soft: false });
  expect(edge?.ariaLabel).toBe("b depends on a, inferred");
  const [confirmed] = draw(plan, edge && [edge]);
  expect(confirmed?.data?.inferred).toBe(false);
});

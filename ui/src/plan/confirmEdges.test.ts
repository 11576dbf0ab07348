import { expect, test } from "vitest";
import { confirmEdges } from "./edits";
import { planOf } from "./planFixture";
import { removeAndReconnect } from "./removeAndReconnect";

function inferredChain() {
  const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);
  return { ...plan, edges: plan.edges.map((edge) => ({ ...edge, inferred: true })) };
}

test("confirms one edge, then all", () => {
  const plan = inferredChain();
  const one = confirmEdges(plan, new Set(["a>b"]));
  expect(one.edges.map((edge) => edge.inferred === true)).toEqual([false, true]);
  expect(confirmEdges(one).edges).toEqual([
    { parent: "a", child: "b", soft: false },
    { parent: "b", child: "c", soft: false },
  ]);
});

test("an edge that replaces an inferred one is inferred", () => {
  const healed = removeAndReconnect(inferredChain(), new Set(["b"]));
  expect(healed.edges).toEqual([{ parent: "a", child: "c", soft: false, inferred: true }]);
  const confirmed = removeAndReconnect(confirmEdges(inferredChain()), new Set(["b"]));
  expect(confirmed.edges).toEqual([{ parent: "a", child: "c", soft: false }]);
});

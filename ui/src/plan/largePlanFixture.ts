import type { Plan } from "@/api/bindings";
import { planOf } from "./planFixture";

/**
 * For tests: a plan with many nodes in columns of 100, each with a parent in the previous column.
 */
export function wholePlan(size: number): Plan {
  const rows = 100;
  const names = Array.from({ length: size }, (_, at) => `n${at}`);
  const edges = names.slice(rows).map((name, at) => `n${at}>${name}`);
  const plan = planOf(names, edges);
  const nodes = plan.nodes.map((node, at) => ({
    ...node,
    position: { x: Math.floor(at / rows) * 300, y: (at % rows) * 100 },
  }));
  return { ...plan, nodes };
}

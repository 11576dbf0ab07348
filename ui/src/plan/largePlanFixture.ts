import type { Plan } from "@/api/bindings";
import { planOf } from "./planFixture";

/** For tests: a plan of many nodes in columns of a hundred, each with a parent in the column before. */
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

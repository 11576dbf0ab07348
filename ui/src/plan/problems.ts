import type { PlanProblem as FoundProblem, NodeId, Plan, Problem } from "@/api/bindings";
import { toSentence } from "@/components/toSentence";

/** A problem that keeps a plan from running, as shown on the page. */
export interface PlanProblem extends FoundProblem {
  /** The nodes that it is shown at; empty when it concerns the plan as a whole. */
  nodes: readonly NodeId[];
}

/** Finds the nodes that each problem is about. */
export function planProblems(found: readonly FoundProblem[], plan: Plan): readonly PlanProblem[] {
  if (found.length === 0) return none;
  return found.map((one) => ({
    ...one,
    sentence: toSentence(one.sentence),
    nodes: placesOf(one.problem, plan),
  }));
}

/** Always the same array, so that nothing rerenders. */
const none: readonly PlanProblem[] = [];

function placesOf(problem: Problem, plan: Plan): NodeId[] {
  const bySlug = (slug: string) =>
    plan.nodes.filter((node) => node.slug === slug).map((node) => node.id);
  switch (problem.problem) {
    case "cycle":
      return [...new Set(problem.path)];
    case "dangling_edge":
      return problem.node === null ? [] : [problem.node];
    case "duplicate_edge":
      return plan.nodes.filter((node) => node.title === problem.child).map((node) => node.id);
    case "duplicate_node":
      return bySlug(problem.slug);
    case "title_length":
    case "out_of_range":
      return bySlug(problem.of);
    case "node":
      return [problem.node];
    case "group":
      return "node" in problem.fault ? [problem.fault.node] : [];
    case "empty_budget":
    case "blank_guard":
    case "unconfirmed_edges":
      return [];
  }
}

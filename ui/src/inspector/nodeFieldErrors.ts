import type { NodeField, NodeId } from "@/api/bindings";
import type { PlanProblem } from "@/plan/problems";

/** The fields of a node that the backend can find fault with. */
export type ValidatedField =
  | "title"
  | "slug"
  | "dependencies"
  | (typeof ranged)[number]
  | NodeField;

/** The fields that must lie in a range. */
const ranged = ["priority", "maxRetries", "maxConcurrent", "maxIterations"] as const;

/** The backend's sentence for a field of a node, when it refused the plan because of it. */
export function nodeFieldError(
  problems: readonly PlanProblem[],
  node: NodeId,
  field: ValidatedField,
): string | undefined {
  return problems.find(({ problem, nodes }) => nodes.includes(node) && fieldOf(problem) === field)
    ?.sentence;
}

function fieldOf(problem: PlanProblem["problem"]): ValidatedField | undefined {
  switch (problem.problem) {
    case "title_length":
      return "title";
    case "duplicate_node":
      return "slug";
    case "cycle":
    case "dangling_edge":
    case "duplicate_edge":
      return "dependencies";
    case "node":
      return problem.field;
    case "group":
    case "empty_budget":
    case "blank_guard":
      return undefined;
    case "out_of_range":
      return ranged.find((field) => field === problem.field);
  }
}

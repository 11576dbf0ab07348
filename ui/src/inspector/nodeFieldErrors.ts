import type { NodeField, NodeId } from "@/api/bindings";
import type { PlanProblem } from "@/plan/problems";

/** The fields of a node that the backend validates. */
export type ValidatedField =
  | "title"
  | "slug"
  | "dependencies"
  | (typeof ranged)[number]
  | NodeField;

/** The fields with a minimum and a maximum. */
const ranged = ["priority", "maxRetries", "maxConcurrent", "maxIterations"] as const;

/** Returns the backend's validation error for a field of a node. */
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
    case "unconfirmed_edges":
      return undefined;
    case "out_of_range":
      return ranged.find((field) => field === problem.field);
  }
}

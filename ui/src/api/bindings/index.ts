// Stands in for the types that are generated from Rust.

/** One line of the blueprints page. */
export interface PlanSummary {
  id: string;
  title: string;
}

/** Every operation by name, with what goes in and what comes out. */
export interface Operations {
  plan_list: { input: { search?: string }; output: PlanSummary[] };
  plan_delete: { input: { plan_id: string }; output: null };
}

/** What the backend tells without being asked. */
export type UiEvent =
  | { kind: "plans_changed"; plan_id: string }
  | { kind: "run_changed"; plan_id: string; run_id: string };

import type { NodeId, PlanId, RunId, SessionId } from "@/api/bindings";

/** Requests to a planner, other than for a new blueprint from a goal. */
export type PlannerRequest =
  | { ask: "split"; plan: PlanId; node: NodeId; title: string }
  | { ask: "explain"; plan: PlanId; node: NodeId | null; title: string }
  | { ask: "replan"; run: RunId; node: NodeId | null; title: string }
  | { ask: "session"; session: SessionId | null; transcript: string | null; title: string };

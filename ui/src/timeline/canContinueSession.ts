import type { AttemptView, NodeRunView } from "@/api/bindings";

/** Whether this is the latest attempt of a node at which nothing works, so that its session may go on in the run. */
export function canContinueSession(
  nodeRun: NodeRunView | undefined,
  attempt: AttemptView,
): boolean {
  if (nodeRun === undefined || nodeRun.session !== attempt.session) return false;
  const { state } = nodeRun;
  if (state.state === "waiting") {
    return state.for.kind === "retry_at" || state.for.kind === "limit_until";
  }
  return ["done", "failed", "interrupted", "skipped"].includes(state.state);
}

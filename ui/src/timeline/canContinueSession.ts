import type { AttemptView, NodeRunView } from "@/api/bindings";

/**
 * Returns whether the session can continue in the run: it is the latest attempt, and the node is
 * not running.
 */
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

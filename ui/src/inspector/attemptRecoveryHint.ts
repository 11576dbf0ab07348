import type { Node, Outcome } from "@/api/bindings";

/**
 * Returns what a person can do after a failed attempt, undefined if nothing or if its sentence says
 * it.
 */
export function attemptRecoveryHint(outcome: Outcome, node: Node): string | undefined {
  switch (outcome.kind) {
    case "succeeded":
    case "cancelled":
      return undefined;
    case "lost":
      return "How far it got is unknown. Check what it left behind, then retry, skip, or mark it done.";
    case "tampered":
      return "Check what the agent changed, then retry, skip, or mark it done.";
    case "failed":
      return failureRecoveryHint(outcome.failure.reason, node);
  }
}

type Reason = Extract<Outcome, { kind: "failed" }>["failure"]["reason"];

function failureRecoveryHint(reason: Reason, { kind }: Node): string | undefined {
  switch (reason) {
    case "exit_code":
      return kind.kind === "command"
        ? "Read the end of the output, fix the command or the files, then retry."
        : "Read the end of the timeline, then retry.";
    case "signal":
      return "The process was killed from outside Baton, often because memory ran out. Fix the cause, then retry.";
    case "timed_out":
      return "Raise the timeout under Task, or split the work into smaller nodes, then retry.";
    case "tool_error":
      return "Fix the call under Task, or what it depends on, then retry.";
    case "agent_error":
      return "Read the end of the timeline. Retry when the agent's service responds again.";
    case "bad_input":
      return "Fix the reference under Task, or rerun the node that should write the output.";
    case "budget_spent":
      return "Raise the budget under Task or in the blueprint's settings, then retry.";
    case "no_answer":
      return "Retry to be asked again. You can change the answer timeout under Task.";
    case "sub_plan":
      return "Open its run to see what went wrong, fix it, then retry.";
    case "criteria_failed":
      return "Fix what the command reports, or the criterion itself, then retry. Or mark the node done.";
    case "unverified":
      return "Check the evidence, fix the work or the criteria, then retry. Or mark the node done.";
    case "usage_limit":
      return "Wait until the limit resets, or choose another agent under Task, then retry.";
    case "unavailable":
      return "The agent's service is unavailable. Retry when it responds again.";
    case "by_hand":
      return undefined;
    // The failure's own sentence says what to do.
    case "not_started":
    case "disk_full":
    case "session_files":
      return undefined;
  }
}

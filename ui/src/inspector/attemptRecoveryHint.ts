import type { Node, Outcome } from "@/api/bindings";

/** What a person can do about the end of an attempt; nothing when there is nothing to do or its words say it already. */
export function attemptRecoveryHint(outcome: Outcome, node: Node): string | undefined {
  switch (outcome.kind) {
    case "succeeded":
    case "cancelled":
      return undefined;
    case "lost":
      return "Nobody knows how far it came. Look at what it left behind, then retry, skip, or mark it done.";
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
        ? "Read the end of the output, mend the command or the files, then retry."
        : "Read the end of the timeline, then retry.";
    case "signal":
      return "Something outside Baton ended the process, often a lack of memory. Retry when that is mended.";
    case "timed_out":
      return "Raise the timeout under Task, or cut the work into smaller nodes, then retry.";
    case "tool_error":
      return "Correct the call under Task, or what it needs, then retry.";
    case "agent_error":
      return "Read the end of the timeline; retry when the agent's service answers again.";
    case "bad_input":
      return "Correct the reference under Task, or rerun the node that should write the output.";
    case "budget_spent":
      return "Raise the budget under Task, or in the plan, then retry.";
    case "no_answer":
      return "Retry to be asked again; the time for the answer stands under Task.";
    case "sub_plan":
      return "Open its run to see what went wrong there, mend it, then retry.";
    case "criteria_failed":
      return "Fix what the command reports, or the criterion itself, then retry; or mark the node done.";
    case "unverified":
      return "Look at the evidence, mend the work or the criteria, then retry; or mark the node done.";
    case "usage_limit":
      return "Wait until the limit is lifted, or choose another agent under Task, then retry.";
    case "unavailable":
      return "The agent's service could not answer. Retry when it does again.";
    case "by_hand":
      return undefined;
    // Their sentences say what to do.
    case "not_started":
    case "disk_full":
    case "session_files":
      return undefined;
  }
}

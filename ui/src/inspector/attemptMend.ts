import type { Node, Outcome } from "@/api/bindings";

/** What a person can do about the end of an attempt; nothing when there is nothing to do or its words say it already. */
export function attemptMend(outcome: Outcome, node: Node): string | undefined {
  switch (outcome.kind) {
    case "succeeded":
    case "cancelled":
      return undefined;
    case "lost":
      return "Nobody knows how far it came. Look at what it left behind, then retry, skip, or mark it done.";
    case "failed":
      return failureMend(outcome.failure.reason, node);
  }
}

type Reason = Extract<Outcome, { kind: "failed" }>["failure"]["reason"];

function failureMend(reason: Reason, { kind }: Node): string | undefined {
  switch (reason) {
    case "exit_code":
      return kind.kind === "command"
        ? "Read the end of the output, mend the command or the files, then retry."
        : "Read the end of the timeline, then retry.";
    case "signal":
      return "Something outside Baton ended the process, often a lack of memory. Retry when that is mended.";
    case "timed_out":
      return "Raise the timeout under Task, or cut the work into smaller nodes, then retry.";
    case "agent_error":
      return "Read the end of the timeline; retry when the agent's service answers again.";
    case "bad_input":
      return "Correct the reference under Task, or rerun the node that should write the output.";
    // Their sentences say what to do.
    case "not_started":
    case "disk_full":
      return undefined;
  }
}

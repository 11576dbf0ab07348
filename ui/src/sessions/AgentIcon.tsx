import type { ReactElement } from "react";
import type { TranscriptRow } from "@/api/bindings";

/** One-letter icon of the agent of a session. */
export function AgentIcon({
  agentTitle,
  agentMark,
}: Pick<TranscriptRow, "agentTitle" | "agentMark">): ReactElement {
  return (
    <span
      role="img"
      aria-label={agentTitle}
      title={agentTitle}
      className="inline-flex size-4 shrink-0 items-center justify-center rounded-small border bg-raised font-mono text-11 text-muted leading-none"
    >
      {agentMark}
    </span>
  );
}

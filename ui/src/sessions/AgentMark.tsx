import type { ReactElement } from "react";
import { agentTitle } from "./sessionWords";

const letters: Record<string, string> = {
  claude: "C",
  codex: "X",
  gemini: "G",
  opencode: "o",
  pi: "π",
};

/** Whose session it is, in one letter; the name for everybody who does not know the letters. */
export function AgentMark({ agent }: { agent: string }): ReactElement {
  const name = agentTitle(agent);
  return (
    <span
      role="img"
      aria-label={name}
      title={name}
      className="inline-flex size-4 shrink-0 items-center justify-center rounded-small border bg-raised font-mono text-11 text-muted leading-none"
    >
      {letters[agent] ?? agent.slice(0, 1).toUpperCase()}
    </span>
  );
}

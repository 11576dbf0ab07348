import type { AgentConnection, Check, ConnectionNote, FileEffect, GuardMode } from "@/api/bindings";
import type { SelectOption } from "@/components/Select";

/** What an agent can become. An agent without hooks becomes `plain`, or disconnected. */
export type ConnectionChoice = "off" | "log" | "block" | "plain" | "disconnected";

const guards: Record<GuardMode, string> = {
  log: "calls of guarded tools outside blueprints are recorded",
  block: "calls of guarded tools outside blueprints are refused",
};

/** Whether an agent has Baton's tools. */
export function connectionCheck({ agent, connection, guard }: AgentConnection): Check {
  const check = (verdict: Check["verdict"], text: string): Check => ({
    verdict,
    sentence: `${agent}: ${text}`,
    mend: null,
    node: null,
  });
  switch (connection.state) {
    case "connected":
      return check("passed", guard === null ? "connected" : `connected; ${guards[guard]}`);
    case "outdated":
      return check(
        "warning",
        "connected to another Baton or data directory, or with an older skill",
      );
    case "not_connected":
      return {
        ...check("passed", "not connected"),
        mend: "connect it to let it propose blueprints",
      };
    case "unreadable":
      return check("warning", connection.reason);
  }
}

/** Whether an agent has Baton's tools, also those of another Baton. */
export function isConnected({ connection: { state } }: AgentConnection): boolean {
  return state === "connected" || state === "outdated";
}

/** What the dialog suggests: the guard stays as it is. */
export function choiceOf({ guard, canGuard }: AgentConnection): ConnectionChoice {
  return canGuard ? (guard ?? "off") : "plain";
}

/** What an agent can become, the least restrictive first. */
export function choicesFor(agent: AgentConnection): SelectOption<ConnectionChoice>[] {
  const connected: SelectOption<ConnectionChoice>[] = agent.canGuard
    ? [
        { id: "off", label: "Connected, without a guard" },
        { id: "log", label: "Connected, and calls of guarded tools are recorded" },
        { id: "block", label: "Connected, and calls of guarded tools are refused" },
      ]
    : [{ id: "plain", label: "Connected", note: "It has no hooks, so it gets no guard." }];
  return [...connected, { id: "disconnected", label: "Not connected" }];
}

/** What happens to a file. */
export const fileEffects: Record<FileEffect, string> = {
  created: "New file",
  changed: "Changed",
  removed: "Removed",
};

/** What a person has to know about a guard. */
export function describeNote(note: ConnectionNote): string {
  return note.note === "no_guard"
    ? `${note.agent} has no hooks, so it gets no guard.`
    : `${note.agent} runs a new hook only after you trusted it: enter /hooks in ${note.agent}.`;
}

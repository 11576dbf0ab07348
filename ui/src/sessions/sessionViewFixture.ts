import type { SessionView, Usage } from "@/api/bindings";

export const unknownUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  usd: null,
};

/** The session of a command that ended. */
export function sessionViewFixture(more: Partial<SessionView> = {}): SessionView {
  return {
    id: "s",
    plan: "plan",
    planTitle: "Plan",
    run: "run",
    node: "a",
    title: "Build",
    attempt: 1,
    agent: null,
    nativeId: null,
    transcript: null,
    argv: ["make"],
    cwd: "/home/ada",
    folder: "",
    startedAt: 0,
    endedAt: 5_000,
    times: { workedMs: 4_900, waitedMs: 14_000, elapsedMs: 5_000, workingSince: null },
    live: false,
    usage: unknownUsage,
    stdoutBytes: 12,
    stderrBytes: 0,
    ...more,
  };
}

import type { TranscriptRow, TranscriptsIndexing } from "@/api/bindings";

export const idle: TranscriptsIndexing = {
  listing: false,
  reading: false,
  bytesDone: 0,
  bytesTotal: 0,
  trouble: [],
};

export function rowFixture(name: string, more: Partial<TranscriptRow> = {}): TranscriptRow {
  return {
    id: `claude:${name}`,
    agent: "claude",
    agentTitle: "Claude Code",
    agentMark: "C",
    nativeId: name,
    project: "/home/dev/project",
    title: `Title of ${name}`,
    startedAt: 1_000_000,
    endedAt: 1_090_000,
    messages: 12,
    usage: {
      inputTokens: 1_000,
      outputTokens: 200,
      cacheReadTokens: null,
      cacheWriteTokens: null,
      usd: 0.42,
    },
    usdIsEstimate: true,
    model: "claude-opus-5-5",
    branch: "main",
    version: "2.1.197",
    bytes: 81_920,
    helpers: 0,
    path: `/home/dev/.claude/projects/-home-dev-project/${name}.jsonl`,
    link: null,
    trouble: null,
    ...more,
  };
}

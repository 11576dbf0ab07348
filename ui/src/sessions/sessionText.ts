import type { TranscriptRow, Usage } from "@/api/bindings";

/** The title of a session, on one line. */
export function sessionTitle({ title }: Pick<TranscriptRow, "title">): string {
  return title?.replaceAll(/\s+/gu, " ").trim() || "Untitled session";
}

/** From the first record to the last, in milliseconds; nothing when a time is missing. */
export function sessionDuration({ startedAt, endedAt }: TranscriptRow): number | undefined {
  if (startedAt === null || endedAt === null) return undefined;
  return Math.max(0, endedAt - startedAt);
}

/** All tokens that are known of, read, cached or written; null when none is. */
export function totalTokens(usage: Usage): number | null {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const known = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].filter(
    (tokens) => tokens !== null,
  );
  return known.length === 0 ? null : known.reduce((sum, tokens) => sum + tokens, 0);
}

/** What a person wrote as tags, by commas: trimmed, without repetition. */
export function parseTags(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.replaceAll(/\s+/gu, " ").trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

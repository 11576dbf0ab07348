import type { TranscriptRow, Usage } from "@/api/bindings";

/** Returns the title of a session on one line. */
export function sessionTitle({ title }: Pick<TranscriptRow, "title">): string {
  return title?.replaceAll(/\s+/gu, " ").trim() || "Untitled session";
}

/**
 * Returns the time from the first to the last record in milliseconds, or `undefined` if a time is
 * missing.
 */
export function sessionDuration({ startedAt, endedAt }: TranscriptRow): number | undefined {
  if (startedAt === null || endedAt === null) return undefined;
  return Math.max(0, endedAt - startedAt);
}

/** Returns the sum of all known token counts, or null when none is known. */
export function totalTokens(usage: Usage): number | null {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const known = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].filter(
    (tokens) => tokens !== null,
  );
  return known.length === 0 ? null : known.reduce((sum, tokens) => sum + tokens, 0);
}

/** Where a note on a session is kept, for the dialog that edits it. */
export const noteHint = "Stored on this machine, separate from the agent's files.";

/** Splits comma-separated tags, trims them and removes duplicates. */
export function parseTags(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.replaceAll(/\s+/gu, " ").trim());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

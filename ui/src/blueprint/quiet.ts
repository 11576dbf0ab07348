import type { NodeRunView } from "@/api/bindings";
import { roughSpan } from "@/components/time";

/** A running node that printed nothing for so long is worth a look (product E6). Nothing is stopped for it. */
export const quietAfter = 5 * 60_000;

/** "quiet for 7 min" once a session that lives has printed nothing for five minutes; nothing before. */
export function quietWords(since: number | undefined, now: number): string | undefined {
  if (since === undefined) return undefined;
  const span = now - since;
  return span >= quietAfter ? `quiet for ${roughSpan(span)}` : undefined;
}

/** Since when a node that runs has printed nothing. A node that waits for a person is quiet for a reason. */
export function quietSinceOf(run: NodeRunView | undefined): number | undefined {
  return run?.state.state === "running" ? (run.quietSince ?? undefined) : undefined;
}

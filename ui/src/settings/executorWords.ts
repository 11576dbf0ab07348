import type { ExecutorKind, ExecutorView, SilenceView } from "@/api/bindings";
import { roughSpan } from "@/components/time";

/** What kind of process executes. */
export const kindWords: Record<ExecutorKind, string> = {
  app: "Window or server",
  cli: "Shell",
  worker: "Worker",
};

/** When an executor that was silent was heard again. */
export function backWords({ since, backAt }: Pick<SilenceView, "since" | "backAt">): string {
  return backAt === null ? "Not heard since" : `After ${roughSpan(backAt - since)}`;
}

/** How an executor is, with its silence when that is why. */
export function healthWords({
  health,
  silenceMs,
}: Pick<ExecutorView, "health" | "silenceMs">): string {
  switch (health) {
    case "healthy":
      return "Healthy";
    case "unhealthy":
      return `Silent for ${roughSpan(silenceMs)}, watched`;
    case "stale":
      return `Silent for ${roughSpan(silenceMs)}`;
    case "gone":
      return "Ended";
  }
}

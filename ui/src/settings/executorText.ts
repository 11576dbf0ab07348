import type { ExecutorKind, ExecutorView, SilenceView } from "@/api/bindings";
import { formatApproximateDuration } from "@/components/time";

/** What kind of process executes. */
export const executorKindLabels: Record<ExecutorKind, string> = {
  app: "Window or server",
  cli: "Shell",
  worker: "Worker",
};

/** When an executor that was silent was heard again. */
export function formatSilence({ since, backAt }: Pick<SilenceView, "since" | "backAt">): string {
  return backAt === null ? "Not heard since" : `After ${formatApproximateDuration(backAt - since)}`;
}

/** How an executor is, with its silence when that is why. */
export function describeHealth({
  health,
  silenceMs,
}: Pick<ExecutorView, "health" | "silenceMs">): string {
  switch (health) {
    case "healthy":
      return "Healthy";
    case "unhealthy":
      return `Silent for ${formatApproximateDuration(silenceMs)}, watched`;
    case "stale":
      return `Silent for ${formatApproximateDuration(silenceMs)}`;
    case "gone":
      return "Ended";
  }
}

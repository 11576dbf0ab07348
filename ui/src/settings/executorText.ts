import type { ExecutorKind, ExecutorView, SilenceView } from "@/api/bindings";
import { formatApproximateDuration } from "@/components/time";

export const executorKindLabels: Record<ExecutorKind, string> = {
  app: "Window or server",
  cli: "Shell",
  worker: "Worker",
};

/** Formats when a silent executor came back. */
export function formatSilence({ since, backAt }: Pick<SilenceView, "since" | "backAt">): string {
  return backAt === null ? "Not yet" : `After ${formatApproximateDuration(backAt - since)}`;
}

/** Returns the health of an executor, with the length of its silence if relevant. */
export function describeHealth({
  health,
  silenceMs,
}: Pick<ExecutorView, "health" | "silenceMs">): string {
  switch (health) {
    case "healthy":
      return "Healthy";
    case "unhealthy":
      return `Unhealthy, silent for ${formatApproximateDuration(silenceMs)}`;
    case "stale":
      return `Stale, silent for ${formatApproximateDuration(silenceMs)}`;
    case "gone":
      return "Ended";
  }
}

import type { RerunPreviewView, RunGoal } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { formatCount, formatNumber } from "@/components/formatCount";
import { formatCost } from "@/components/formatUsage";
import { quoteTitle } from "@/components/quotedTitle";
import type { RerunAct, RerunRequest } from "./rerunRequest";

/** The question of the confirmation: "Rerun from “Lint”?". `titles` are those of the nodes. */
export function rerunTitle(request: RerunRequest, titles: readonly string[]): string {
  if (request.act === "want") return wantTitle(request.goals, titles);
  const what =
    titles.length === 1 ? quoteTitle(titles[0] ?? "") : formatCount(titles.length, "node");
  switch (request.act) {
    case "retry":
      return `Retry ${what}?`;
    case "resume":
      return titles.length === 1
        ? `Resume the session of ${what}?`
        : `Resume the sessions of ${what}?`;
    case "rerun":
      return `Rerun from ${what}?`;
    case "rerun_alone":
      return `Rerun only ${what}?`;
    case "failed":
      return "Rerun failed nodes?";
    case "stale":
      return "Rerun stale nodes?";
    case "skip":
      return request.running.length === 0 ? `Skip ${what}?` : `Stop and skip ${what}?`;
  }
}

function wantTitle(goals: readonly RunGoal[], titles: readonly string[]): string {
  if (goals.some(({ want }) => want === "all")) return "Run all remaining nodes?";
  if (goals.some(({ want }) => want === "next")) return "Run the next node?";
  return titles.length === 1
    ? `Run ${quoteTitle(titles[0] ?? "")}?`
    : `Run ${formatCount(titles.length, "node")}?`;
}

const verbs: Record<RerunAct, string> = {
  retry: "Retry",
  resume: "Resume",
  rerun: "Rerun",
  rerun_alone: "Rerun",
  failed: "Rerun",
  stale: "Rerun",
};

/** The label of the button that confirms: "Rerun 4 nodes". */
export function rerunConfirmLabel(request: RerunRequest, count: number | undefined): string {
  const { act } = request;
  if (act === "want") return "Run";
  if (act === "skip") return request.running.length === 0 ? "Skip" : "Stop and skip";
  if (act === "resume" && count === 1) return "Resume session";
  return count === undefined ? verbs[act] : `${verbs[act]} ${formatCount(count, "node")}`;
}

/** Which sessions a skip stops: "1 of them is running. This ends its session and …". */
export function stoppedSessionsText({
  nodes,
  running,
}: Extract<RerunRequest, { act: "skip" }>): string {
  const one = running.length === 1;
  const which =
    running.length < nodes.length
      ? `${formatNumber(running.length)} of them ${one ? "is" : "are"} running. `
      : "";
  return `${which}${one ? "This ends its session and all its processes." : "This ends their sessions and all their processes."}`;
}

/**
 * What the nodes took and cost last time: "Last time: 4m 05s of work, $0.42. The cost of 1 node is
 * unknown."
 */
export function rerunCostText({
  nodes,
  totalMs,
  totalCostUsd,
  unknownCosts,
}: RerunPreviewView): string {
  const known = [
    nodes.some(({ lastMs }) => lastMs !== null) && `${formatElapsed(totalMs)} of work`,
    totalCostUsd > 0 && formatCost(totalCostUsd),
  ].filter(Boolean);
  return [
    known.length > 0
      ? `Last time: ${known.join(", ")}.`
      : "There are no times from an earlier attempt.",
    unknownCosts > 0 && `The cost of ${formatCount(unknownCosts, "node")} is unknown.`,
  ]
    .filter(Boolean)
    .join(" ");
}

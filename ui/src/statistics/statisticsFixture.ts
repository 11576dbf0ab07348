import type { DailyStatistics, RunCounts, Statistics } from "@/api/bindings";
import { emptyUsage } from "./usage";

const noRuns: RunCounts = {
  running: 0,
  paused: 0,
  skippedFailures: 0,
  replanning: 0,
  stalled: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
};

/** Makes run counts; those not given are 0. */
export function runCounts(counts: Partial<RunCounts>): RunCounts {
  return { ...noRuns, ...counts };
}

/** Makes the statistics of a day without agent sessions. */
export function dayFigures(day: string, counts: Partial<RunCounts>): DailyStatistics {
  return { day, runs: runCounts(counts), used: emptyUsage };
}

/** Makes statistics, by default without any runs. */
export function statisticsOf(facts: Partial<Statistics> = {}): Statistics {
  return {
    runs: noRuns,
    completionRate: null,
    runDurations: null,
    plans: {
      reviews: {
        draft: 0,
        proposed: 0,
        approved: 0,
        rejected: 0,
        needsReview: 0,
        cancelled: 0,
      },
      meanNodes: null,
      medianNodes: null,
      mostNodes: null,
    },
    kinds: [],
    agents: [],
    byPlan: [],
    morePlans: 0,
    days: [],
    used: emptyUsage,
    planning: { rejections: [], replans: 0, acceptedReplans: 0, toolGaps: [] },
    takeovers: {
      ...{ count: 0, runs: 0, displaced: 0, inheritedWhole: 0, meanRecoveryMs: null },
      ...{ takeoverRate: null, displacementRate: null, inheritedWholeRate: null },
    },
    unreadable: 0,
    ...facts,
  };
}

import type { PlanSummary, RunSummary } from "@/api/bindings";

/** For tests: a list row of a draft with two nodes that has not run. */
export function summaryOf(id: string, facts: Partial<PlanSummary> = {}): PlanSummary {
  return {
    id,
    title: `Title of ${id}`,
    description: "",
    cwd: null,
    tags: [],
    status: "pending",
    priority: 5,
    autonomy: null,
    user: null,
    goal: null,
    trigger: null,
    review: "draft",
    version: 1,
    nodeCount: 2,
    createdAt: 0,
    updatedAt: 0,
    archivedAt: null,
    lastRun: null,
    tally: null,
    ...facts,
  };
}

/** For tests: the summary of a completed run of two nodes that took one second. */
export function runSummaryOf(plan: string, facts: Partial<RunSummary> = {}): RunSummary {
  return {
    id: `run of ${plan}`,
    plan,
    number: 1,
    title: `Title of ${plan}`,
    version: 1,
    state: { state: "completed" },
    goal: { want: "all" },
    startedAt: 1_000,
    endedAt: 2_000,
    progress: ["done", "done"],
    attendance: { where: "none" },
    ...facts,
  };
}

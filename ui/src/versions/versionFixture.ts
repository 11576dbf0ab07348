import type { PlanVersionRow } from "@/api/bindings";

/** For tests: a version that a person saved in the window. */
export function versionOf(version: number, facts: Partial<PlanVersionRow> = {}): PlanVersionRow {
  return {
    version,
    author: "person:window",
    at: version * 3_600_000,
    approval: null,
    name: null,
    changes: [{ kind: "nodes_changed", titles: [`Node ${version}`], count: 1 }],
    runs: [],
    runCount: 0,
    ...facts,
  };
}

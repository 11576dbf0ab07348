import type { NodeId, RerunScope, RunGoal, RunId } from "@/api/bindings";

/** A way to run nodes of the shown run again. */
export type RerunAct = "retry" | "resume" | "rerun" | "rerun_alone" | "failed" | "stale";

/** Something that starts nodes, and so may cost money, waiting for the user's confirmation. */
export type RerunRequest =
  | {
      act: RerunAct;
      run: RunId;
      /** Where it starts; empty for `failed` and `stale`, which cover the whole run. */
      nodes: readonly NodeId[];
    }
  /** Skips `nodes` and stops those that are `running`. Those in `starts` may start then. */
  | {
      act: "skip";
      run: RunId;
      nodes: readonly NodeId[];
      running: readonly NodeId[];
      starts: readonly NodeId[];
    }
  /** More nodes of an active run. */
  | { act: "want"; run: RunId; goals: readonly RunGoal[] };

/** Which nodes each act resets. */
export const rerunScopes: Record<RerunAct, RerunScope> = {
  retry: "retry",
  resume: "retry",
  rerun: "from_here",
  rerun_alone: "only_this",
  failed: "failed",
  stale: "stale",
};

/** Reports whether an action of a node runs it again. */
export function isRerun(act: string): act is "retry" | "resume" | "rerun" | "rerun_alone" {
  return act === "retry" || act === "resume" || act === "rerun" || act === "rerun_alone";
}

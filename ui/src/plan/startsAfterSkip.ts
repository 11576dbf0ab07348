import type { Node, NodeId, NodeState, Plan, RunView, SkipReason } from "@/api/bindings";
import { conditionalEdgesIn } from "./conditionalEdges";
import { edgeKey } from "./edgeKey";
import { isJoin } from "./joins";

/**
 * Which nodes no longer wait when nodes are skipped by hand. Pure. The executor decides by
 * `parent_counts.rs` in the model; where limits or approvals hold a node back, it starts later.
 */

/** What a parent that isn't skipped now means for its child. */
type Outcome = "passed" | "not_run" | "failed" | "open";

/** The nodes that can start once `skipped` are skipped, in plan order. */
export function startsAfterSkip(
  run: Pick<RunView, "plan" | "nodes" | "summary">,
  skipped: readonly NodeId[],
): NodeId[] {
  // Nothing starts in a paused run, and Resume is a decision of its own.
  if (run.summary.state.state === "paused") return [];
  const { plan } = run;
  const left = new Set(skipped);
  const states = new Map(run.nodes.map(({ node, state }) => [node, state]));
  const parents = hardParents(plan);
  const released = releasedBy(plan, left);
  return plan.nodes
    .filter(({ id }) => released.has(id) && !left.has(id) && waitsForParents(states.get(id)))
    .filter((node) => {
      const others = [...(parents.get(node.id) ?? [])].filter((parent) => !left.has(parent));
      const outcomes = new Set(others.map((parent) => outcomeOf(states.get(parent))));
      return canStart(node, outcomes, isJoin(plan, node.id));
    })
    .map(({ id }) => id);
}

/** Whether the rule of a node holds after a skip, with these outcomes of its other parents. */
function canStart({ triggerRule }: Node, others: ReadonlySet<Outcome>, join: boolean): boolean {
  switch (triggerRule) {
    case "one_success":
      return true;
    // A skip is no failure.
    case "one_failed":
      return false;
    case "all_done":
      return !others.has("open");
    case "none_failed":
    case "none_failed_min_one_success":
      return !others.has("open") && !others.has("failed");
    case "all_success":
    case null: {
      const needsAll = triggerRule !== null || !join;
      const isOut = needsAll && others.has("not_run");
      return !others.has("open") && !others.has("failed") && !isOut;
    }
  }
}

/** The children of skipped nodes, except those behind a branch or a failure, which aren't taken. */
function releasedBy(plan: Plan, skipped: ReadonlySet<NodeId>): Set<NodeId> {
  const branches = conditionalEdgesIn(plan).filter(
    ({ kind }) => kind === "true" || kind === "false",
  );
  const closed = new Set(branches.map(edgeKey));
  const links = [
    ...plan.edges.filter(({ soft }) => !soft),
    ...conditionalEdgesIn(plan).filter(({ kind }) => kind === "success"),
  ];
  return new Set(
    links
      .filter((link) => skipped.has(link.parent) && !closed.has(edgeKey(link)))
      .map(({ child }) => child),
  );
}

function hardParents(plan: Plan): Map<NodeId, Set<NodeId>> {
  const parents = new Map<NodeId, Set<NodeId>>();
  for (const { parent, child } of [
    ...plan.edges.filter(({ soft }) => !soft),
    ...conditionalEdgesIn(plan),
  ])
    parents.set(child, (parents.get(child) ?? new Set()).add(parent));
  return parents;
}

function waitsForParents(state: NodeState | undefined): boolean {
  return state?.state === "pending" || state?.state === "blocked";
}

function outcomeOf(state: NodeState | undefined): Outcome {
  switch (state?.state) {
    case "done":
      return "passed";
    case "skipped":
      return letsChildrenRun(state.reason) ? "passed" : "not_run";
    case "failed":
      return state.wentOnAt == null ? "failed" : "not_run";
    case "interrupted":
    case "blocked":
      return "failed";
    default:
      return "open";
  }
}

function letsChildrenRun({ kind }: SkipReason): boolean {
  return ["by_hand", "disabled", "after_failure", "only_pinned_need"].includes(kind);
}

import type { Node, NodeId, NodeRunView, Plan, RunView } from "@/api/bindings";
import { isDeepEqual } from "@/api/isDeepEqual";
import { formatCount } from "@/components/formatCount";
import { runPhase } from "./runStatus";

/**
 * How a plan differs from the version that a run executes. A run keeps its version, so an edit
 * takes effect in the next run. Positions, groups and notes don't count, because runs ignore them.
 */
export interface ChangesSinceRun {
  /** Nodes whose content or parents differ from the run's version. */
  changed: readonly NodeId[];
  added: readonly NodeId[];
  /** How many of the run's nodes were deleted from the plan. */
  removed: number;
  /** The blueprint settings, the goal or the directory changed. */
  settings: boolean;
}

/** The changes since the run's version; undefined when the run executes the plan as it is. */
export function changesSinceRun(plan: Plan, executed: Plan): ChangesSinceRun | undefined {
  if (plan === executed) return undefined;
  const before = new Map(executableNodes(executed).map((node) => [node.id, node]));
  const now = executableNodes(plan);
  const parents = parentsOf(plan);
  const parentsBefore = parentsOf(executed);
  const changed = now.filter((node) => {
    const old = before.get(node.id);
    if (!old) return false;
    return !isSameNode(node, old) || parents.get(node.id) !== parentsBefore.get(node.id);
  });
  const added = now.filter(({ id }) => !before.has(id));
  const kept = now.length - added.length;
  const since = {
    changed: changed.map(({ id }) => id),
    added: added.map(({ id }) => id),
    removed: before.size - kept,
    settings:
      !isDeepEqual(plan.settings, executed.settings) ||
      plan.description !== executed.description ||
      plan.cwd !== executed.cwd,
  };
  const any = since.changed.length + since.added.length + since.removed > 0 || since.settings;
  return any ? since : undefined;
}

/** For example "2 nodes changed, 1 node added and blueprint settings changed". */
export function changesSinceRunText({
  changed,
  added,
  removed,
  settings,
}: ChangesSinceRun): string {
  const parts = [
    changed.length > 0 && `${formatCount(changed.length, "node")} changed`,
    added.length > 0 && `${formatCount(added.length, "node")} added`,
    removed > 0 && `${formatCount(removed, "node")} removed`,
    settings && "blueprint settings changed",
  ].filter((part) => part !== false);
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/**
 * Explains why an edit of a node doesn't affect the run that is shown, and what would. Undefined
 * when the run uses the node as it is.
 */
export function nodeChangeNotice(
  node: Node,
  plan: Plan,
  run: RunView,
  nodeRun: NodeRunView | undefined,
): string | undefined {
  const { state } = run.summary.state;
  if (node.kind.kind === "note" || state === "completed" || state === "cancelled") return undefined;
  const old = run.plan.nodes.find(({ id }) => id === node.id);
  if (!old || !nodeRun) return "Added after this run started. The next run includes it.";
  const parents = parentsOf(plan).get(node.id);
  if (isSameNode(node, old) && parents === parentsOf(run.plan).get(node.id)) return undefined;
  const version = `version ${run.summary.version}`;
  const rest = nextStepText(nodeRun, runPhase(run) === "idle");
  return `This run uses the node from ${version}. Your change takes effect in the next run. ${rest}`;
}

function nextStepText({ state }: NodeRunView, over: boolean): string {
  switch (state.state) {
    case "pending":
    case "blocked":
      return over
        ? "Approve and run the blueprint to start it."
        : "To affect this run, pin the node's incoming handoffs, skip it, or mark it done.";
    case "running":
    case "waiting":
      return "To affect this run, answer its questions or stop the run.";
    case "failed":
    case "interrupted":
      return "Retry runs the node unchanged. Replan to apply the change to this run.";
    case "done":
    case "skipped":
      return "To affect this run, edit its handoff for the nodes that are still waiting for it.";
  }
}

function executableNodes(plan: Plan): Node[] {
  return plan.nodes.filter((node) => node.kind.kind !== "note");
}

/**
 * The parents of each node as one sorted text, so that the order in which edges were drawn doesn't
 * matter.
 */
function parentsOf({ edges }: Plan): ReadonlyMap<NodeId, string> {
  const known = parentTexts.get(edges);
  if (known) return known;
  const lists = new Map<NodeId, string[]>();
  for (const { parent, child, soft } of edges) {
    const list = lists.get(child) ?? [];
    list.push(soft ? `${parent} soft` : parent);
    lists.set(child, list);
  }
  const texts = new Map([...lists].map(([child, list]) => [child, list.sort().join(" ")]));
  parentTexts.set(edges, texts);
  return texts;
}

const parentTexts = new WeakMap<Plan["edges"], ReadonlyMap<NodeId, string>>();
const comparisonCache = new WeakMap<Node, { old: Node; same: boolean }>();

/** Edits keep the identity of untouched nodes, so each node is compared only once. */
function isSameNode(node: Node, old: Node): boolean {
  if (node === old) return true;
  const known = comparisonCache.get(node);
  if (known?.old === old) return known.same;
  const answer = isDeepEqual({ ...node, position: old.position }, old);
  comparisonCache.set(node, { old, same: answer });
  return answer;
}

import type { Edge as FlowEdgeOf } from "@xyflow/react";
import type { NodeId, NodeRunView } from "@/api/bindings";
import { type EdgeCondition, edgeConditionLabels } from "@/plan/conditionalEdges";
import { sourceHandleId } from "@/plan/handles";
import { isPinned } from "@/plan/pins";
import type { CriticalPath } from "@/plan/usePlanTiming";
import { collapsedGroupOf } from "./collapseGroups";
import type { Line, Scene } from "./scene";

/** Converts the edges, branches and jumps of a plan to React Flow edges. Pure. */

export interface EdgeData extends Record<string, unknown> {
  soft: boolean;
  /** Nobody has confirmed it. */
  inferred: boolean;
  /** Whether the child is running or about to, so that the edge is on the path of the run. */
  onPath: boolean;
  /** Whether the run has come this way: the parent is done and the child has started. */
  carried: boolean;
  /** The field of the parent that it is stored in; undefined for a plain edge. */
  condition: EdgeCondition | undefined;
  /** Whether the run took another way here. */
  passedBy: boolean;
  /** Whether it is on the highlighted critical path. */
  critical: boolean;
  /** Whether a person pinned the handoff that passes over it in the run. */
  pinned: boolean;
}

export type PlanEdge = FlowEdgeOf<EdgeData, "plan">;

export interface EdgeInput {
  scene: Scene;
  /** The indexes of the lines to convert. */
  lines: readonly number[];
  selectedEdges: ReadonlySet<string>;
  /** The critical path, if it is highlighted. */
  critical?: CriticalPath;
}

type Runs = ReadonlyMap<NodeId, NodeRunView>;
type TitleOf = (id: NodeId) => string;

/** Converts lines to edges. Unchanged edges are the same objects as in `before`. */
export function toEdges(
  { scene, lines, selectedEdges, critical }: EdgeInput,
  runs: Runs,
  titleOf: TitleOf,
  before: readonly PlanEdge[] | undefined,
): PlanEdge[] {
  const old = new Map(before?.map((edge) => [edge.id, edge]));
  return lines.flatMap((number) => {
    const line = scene.lines[number];
    const [parent, child] = [scene.nodes[line?.parent ?? -1], scene.nodes[line?.child ?? -1]];
    if (!line || !parent || !child) return [];
    const edge = drawn(line, parent.id, child.id, runs, titleOf);
    edge.selected = selectedEdges.has(edge.id);
    edge.data.critical = critical?.edges.has(`${edge.source}>${edge.target}`) ?? false;
    // A line at a group card stands for several edges and can't be edited.
    const isReal =
      line.condition !== undefined || !(collapsedGroupOf(parent) || collapsedGroupOf(child));
    if (!isReal) Object.assign(edge, { selectable: false, reconnectable: false });
    edge.zIndex = edge.data.onPath || edge.selected ? 1 : 0;
    const known = old.get(edge.id);
    return [known && isSameEdge(known, edge) ? known : edge];
  });
}

type DrawnEdge = PlanEdge & { data: EdgeData };

/** The line's appearance in the run. */
export function edgeRunState(
  { soft, condition }: Pick<Line, "soft" | "condition">,
  parent: NodeRunView | undefined,
  child: NodeRunView | undefined,
): Pick<EdgeData, "onPath" | "carried" | "passedBy"> {
  const passedBy = condition !== undefined && isPassedBy(condition, parent);
  const onPath = !passedBy && isOnPath(child, soft);
  return { onPath, carried: !passedBy && !onPath && hasCarried(parent, child), passedBy };
}

function drawn(line: Line, parent: NodeId, child: NodeId, runs: Runs, titleOf: TitleOf): DrawnEdge {
  const { key, soft, condition, inferred = false } = line;
  const pinned = condition === undefined && isPinned(runs.get(child), parent);
  return {
    id: key,
    type: "plan",
    source: parent,
    sourceHandle: sourceHandleId(condition),
    target: child,
    ariaLabel: condition
      ? `${edgeConditionLabels[condition]}: ${titleOf(parent)} goes to ${titleOf(child)}`
      : `${titleOf(child)} depends on ${titleOf(parent)}${inferred ? ", inferred" : ""}${pinned ? ", handoff pinned" : ""}`,
    // Only the child's end can be moved: a drag from the parent's end draws a new edge.
    reconnectable: "target",
    data: {
      soft,
      inferred,
      condition,
      critical: false,
      pinned,
      ...edgeRunState(line, runs.get(parent), runs.get(child)),
    },
  };
}

function isOnPath(child: NodeRunView | undefined, soft: boolean): boolean {
  const state = child?.state.state;
  return state === "running" || (state === "waiting" && !soft);
}

function hasCarried(parent: NodeRunView | undefined, child: NodeRunView | undefined): boolean {
  const state = child?.state.state;
  const started = state === "done" || state === "failed" || state === "interrupted";
  return started && parent?.state.state === "done";
}

/** Reports whether the run has reached the start of the edge and did not follow it. */
export function isPassedBy(kind: EdgeCondition, parent: NodeRunView | undefined): boolean {
  if (!parent) return false;
  const { state } = parent.state;
  switch (kind) {
    case "true":
      return parent.marks.taken === false || state === "skipped";
    case "false":
      return parent.marks.taken === true || state === "skipped";
    case "failure":
      return state === "done" || state === "skipped";
    case "success":
      return state === "failed" || state === "skipped";
  }
}

function isSameEdge(one: PlanEdge, other: DrawnEdge): boolean {
  return (
    one.selected === other.selected &&
    one.ariaLabel === other.ariaLabel &&
    one.target === other.target &&
    one.data?.soft === other.data.soft &&
    one.data.inferred === other.data.inferred &&
    one.data.onPath === other.data.onPath &&
    one.data.carried === other.data.carried &&
    one.data.passedBy === other.data.passedBy &&
    one.data.pinned === other.data.pinned &&
    one.data.critical === other.data.critical
  );
}

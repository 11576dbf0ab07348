import type { Edge as FlowEdgeOf } from "@xyflow/react";
import type { NodeId, NodeRunView } from "@/api/bindings";
import { type EdgeCondition, edgeConditionLabels } from "@/plan/conditionalEdges";
import { sourceHandleId } from "@/plan/handles";
import { isPinned } from "@/plan/pins";
import type { CriticalPath } from "@/plan/usePlanTiming";
import { collapsedGroupOf } from "./collapseGroups";
import type { Line, Scene } from "./scene";

/** The edges of a plan, and the branches and jumps in its nodes, as the canvas takes them. Pure. */

export interface EdgeData extends Record<string, unknown> {
  soft: boolean;
  /** The child runs, or is about to: the path that the run is on. */
  onPath: boolean;
  /** The field of the parent that says so; none for an edge of the plan. */
  condition: EdgeCondition | undefined;
  /** The run went another way here. */
  passedBy: boolean;
  /** It lies on the marked critical path. */
  critical: boolean;
  /** A person settled what passes over it in the run. */
  pinned: boolean;
}

export type PlanEdge = FlowEdgeOf<EdgeData, "plan">;

export interface EdgeInput {
  scene: Scene;
  /** The numbers of the lines that become edges. */
  lines: readonly number[];
  selectedEdges: ReadonlySet<string>;
  /** The critical path, where it is to be marked. */
  critical?: CriticalPath;
}

type Runs = ReadonlyMap<NodeId, NodeRunView>;
type TitleOf = (id: NodeId) => string;

/** The lines between cards. What looks as in `before` is the very object of `before`. */
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
    // What leads to the card of a group stands for several, and is no edge of the plan.
    const isReal =
      line.condition !== undefined || !(collapsedGroupOf(parent) || collapsedGroupOf(child));
    if (!isReal) Object.assign(edge, { selectable: false, reconnectable: false });
    edge.zIndex = edge.data.onPath || edge.selected ? 1 : 0;
    const known = old.get(edge.id);
    return [known && isSameEdge(known, edge) ? known : edge];
  });
}

type DrawnEdge = PlanEdge & { data: EdgeData };

/** How a line stands in the run; the run's own part of what it looks like. */
export function edgeRunState(
  { soft, condition }: Pick<Line, "soft" | "condition">,
  parent: NodeRunView | undefined,
  child: NodeRunView | undefined,
): Pick<EdgeData, "onPath" | "passedBy"> {
  const passedBy = condition !== undefined && isPassedBy(condition, parent);
  return { onPath: !passedBy && isOnPath(child, soft), passedBy };
}

function drawn(line: Line, parent: NodeId, child: NodeId, runs: Runs, titleOf: TitleOf): DrawnEdge {
  const { key, soft, condition } = line;
  const pinned = condition === undefined && isPinned(runs.get(child), parent);
  return {
    id: key,
    type: "plan",
    source: parent,
    sourceHandle: sourceHandleId(condition),
    target: child,
    ariaLabel: condition
      ? `${edgeConditionLabels[condition]}: ${titleOf(parent)} goes to ${titleOf(child)}`
      : `${titleOf(child)} depends on ${titleOf(parent)}${pinned ? ", handoff pinned" : ""}`,
    // Only the child's end can be put elsewhere: at the parent's end a drag draws a new edge.
    reconnectable: "target",
    data: {
      soft,
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

/** Whether the run has been at the beginning of the way and did not take it. */
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
    one.data.onPath === other.data.onPath &&
    one.data.passedBy === other.data.passedBy &&
    one.data.pinned === other.data.pinned &&
    one.data.critical === other.data.critical
  );
}

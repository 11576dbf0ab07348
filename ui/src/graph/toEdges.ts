import type { Edge as FlowEdgeOf } from "@xyflow/react";
import type { Edge, NodeId, NodeRunView, Plan } from "@/api/bindings";
import { type Way, type WayKind, wayKey, waysOf } from "@/blueprint/ways";
import { edgeKey } from "./edgeKey";
import { outletOf } from "./handles";

/** The edges of a plan, and the branches and jumps in its nodes, as the canvas takes them. Pure. */

export interface EdgeData extends Record<string, unknown> {
  soft: boolean;
  /** The child runs, or is about to: the path that the run is on. */
  onPath: boolean;
  /** The field of the parent that says so; none for an edge of the plan. */
  way: WayKind | undefined;
  /** The run went another way here. */
  passedBy: boolean;
}

export type PlanEdge = FlowEdgeOf<EdgeData, "plan">;

export interface EdgeInput {
  plan: Pick<Plan, "nodes" | "edges">;
  selectedEdges: ReadonlySet<string>;
}

type Runs = ReadonlyMap<NodeId, NodeRunView>;
type TitleOf = (id: NodeId) => string;

/** Every line between cards. What looks as in `before` is the very object of `before`. */
export function toEdges(
  { plan, selectedEdges }: EdgeInput,
  runs: Runs,
  titleOf: TitleOf,
  before: readonly PlanEdge[] | undefined,
): PlanEdge[] {
  const old = new Map(before?.map((edge) => [edge.id, edge]));
  const settled = (edge: DrawnEdge): PlanEdge => {
    edge.selected = selectedEdges.has(edge.id);
    edge.zIndex = edge.data.onPath || edge.selected ? 1 : 0;
    const known = old.get(edge.id);
    return known && sameEdge(known, edge) ? known : edge;
  };
  return [
    ...plan.edges.map((edge) => settled(ofEdge(edge, runs, titleOf))),
    ...waysOf(plan).map((way) => settled(ofWay(way, runs, titleOf))),
  ];
}

type DrawnEdge = PlanEdge & { data: EdgeData };

function ofEdge(edge: Edge, runs: Runs, titleOf: TitleOf): DrawnEdge {
  const { parent, child, soft } = edge;
  return drawn(edgeKey(edge), edge, `${titleOf(child)} depends on ${titleOf(parent)}`, {
    soft,
    onPath: isOnPath(runs.get(child), soft),
    way: undefined,
    passedBy: false,
  });
}

function ofWay(way: Way, runs: Runs, titleOf: TitleOf): DrawnEdge {
  const { kind, parent, child } = way;
  const passedBy = isPassedBy(kind, runs.get(parent));
  return drawn(
    wayKey(way),
    way,
    `${wayLabels[kind]}: ${titleOf(parent)} goes to ${titleOf(child)}`,
    {
      soft: false,
      onPath: !passedBy && isOnPath(runs.get(child), false),
      way: kind,
      passedBy,
    },
  );
}

/** What stands on a branch or jump. */
export const wayLabels: Record<WayKind, string> = {
  true: "true",
  false: "false",
  success: "on success",
  failure: "on failure",
};

function drawn(
  id: string,
  { parent, child }: Pick<Edge, "parent" | "child">,
  ariaLabel: string,
  data: EdgeData,
): DrawnEdge {
  return {
    id,
    type: "plan",
    source: parent,
    sourceHandle: outletOf(data.way),
    target: child,
    ariaLabel,
    // Only the child's end can be put elsewhere: at the parent's end a drag draws a new edge.
    reconnectable: "target",
    data,
  };
}

function isOnPath(child: NodeRunView | undefined, soft: boolean): boolean {
  const state = child?.state.state;
  return state === "running" || (state === "waiting" && !soft);
}

/** Whether the run has been at the beginning of the way and did not take it. */
export function isPassedBy(kind: WayKind, parent: NodeRunView | undefined): boolean {
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

function sameEdge(one: PlanEdge, other: DrawnEdge): boolean {
  return (
    one.selected === other.selected &&
    one.ariaLabel === other.ariaLabel &&
    one.target === other.target &&
    one.data?.soft === other.data.soft &&
    one.data.onPath === other.data.onPath &&
    one.data.passedBy === other.data.passedBy
  );
}

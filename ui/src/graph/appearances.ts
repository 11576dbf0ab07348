import type { NodeId, NodeRunView } from "@/api/bindings";
import { nodeStates } from "@/components/nodeState";
import type { CriticalPath } from "@/plan/usePlanTiming";
import type { Line, Scene } from "./scene";
import { edgeRunState } from "./toEdges";

/**
 * How a painted node can look: by its state, or `untouched` or `disabled` without a state from a
 * run.
 */
export const nodeAppearances = [...nodeStates, "untouched", "disabled", "note"] as const;
/** How a painted line can look. */
export const lineAppearances = [
  "edge",
  "carried",
  "path",
  "passed",
  "failure",
  "critical",
] as const;

export type NodeAppearance = (typeof nodeAppearances)[number];
export type LineAppearance = (typeof lineAppearances)[number];

/** The appearance of each node and line of a scene, as indexes into the lists above. Pure. */
export interface Appearances {
  nodes: Uint8Array;
  lines: Uint8Array;
}

export function computeAppearances(
  scene: Pick<Scene, "nodes" | "lines">,
  runs: ReadonlyMap<NodeId, NodeRunView>,
  critical?: CriticalPath,
): Appearances {
  const run = scene.nodes.map((node) => runs.get(node.id));
  const isCritical = (line: Line) =>
    critical?.edges.has(`${scene.nodes[line.parent]?.id}>${scene.nodes[line.child]?.id}`);
  const marked = critical !== undefined && critical.edges.size > 0;
  const lines = Uint8Array.from(scene.lines, (line) => {
    if (marked && isCritical(line)) return lineAppearances.indexOf("critical");
    const { onPath, carried, passedBy } = edgeRunState(line, run[line.parent], run[line.child]);
    if (onPath) return lineAppearances.indexOf("path");
    if (passedBy) return lineAppearances.indexOf("passed");
    if (line.condition === "failure") return lineAppearances.indexOf("failure");
    return lineAppearances.indexOf(carried ? "carried" : "edge");
  });
  return { nodes: computeNodeAppearances(scene, runs), lines };
}

/** Like `computeAppearances`, for nodes only. Pure. */
export function computeNodeAppearances(
  { nodes }: Pick<Scene, "nodes">,
  runs: ReadonlyMap<NodeId, NodeRunView>,
): Uint8Array {
  return Uint8Array.from(nodes, (node) => {
    if (node.kind.kind === "note") return nodeAppearances.indexOf("note");
    const state = runs.get(node.id)?.state.state;
    if (state !== undefined && state !== "pending") return nodeAppearances.indexOf(state);
    return nodeAppearances.indexOf(node.disabled ? "disabled" : "untouched");
  });
}

/** The indexes at which two lists of appearances differ. */
export function changedIndices(one: Uint8Array, other: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 0; at < other.length; at += 1) if (one[at] !== other[at]) found.push(at);
  return found;
}

import type { NodeId, NodeRunView } from "@/api/bindings";
import { nodeStates } from "@/components/nodeState";
import type { Critical } from "@/plan/usePace";
import type { Line, Scene } from "./scene";
import { courseOf } from "./toEdges";

/** What a node can look like where it is drawn. Its state alone; a state that no run gave is `untouched`, or `disabled`. */
export const nodeLooks = [...nodeStates, "untouched", "disabled", "note"] as const;
/** What a line can look like where it is drawn. */
export const lineLooks = ["edge", "path", "passed", "failure", "critical"] as const;

export type NodeLook = (typeof nodeLooks)[number];
export type LineLook = (typeof lineLooks)[number];

/** How each node and line of a scene looks, as the number of its look. Pure. */
export interface Looks {
  nodes: Uint8Array;
  lines: Uint8Array;
}

export function looksOf(
  scene: Pick<Scene, "nodes" | "lines">,
  runs: ReadonlyMap<NodeId, NodeRunView>,
  critical?: Critical,
): Looks {
  const run = scene.nodes.map((node) => runs.get(node.id));
  const isCritical = (line: Line) =>
    critical?.ways.has(`${scene.nodes[line.parent]?.id}>${scene.nodes[line.child]?.id}`);
  const marked = critical !== undefined && critical.ways.size > 0;
  const lines = Uint8Array.from(scene.lines, (line) => {
    if (marked && isCritical(line)) return lineLooks.indexOf("critical");
    const { onPath, passedBy } = courseOf(line, run[line.parent], run[line.child]);
    if (onPath) return lineLooks.indexOf("path");
    if (passedBy) return lineLooks.indexOf("passed");
    return lineLooks.indexOf(line.way === "failure" ? "failure" : "edge");
  });
  return { nodes: nodeLooksOf(scene, runs), lines };
}

/** The looks of the nodes alone. Pure. */
export function nodeLooksOf(
  { nodes }: Pick<Scene, "nodes">,
  runs: ReadonlyMap<NodeId, NodeRunView>,
): Uint8Array {
  return Uint8Array.from(nodes, (node) => {
    if (node.kind.kind === "note") return nodeLooks.indexOf("note");
    const state = runs.get(node.id)?.state.state;
    if (state !== undefined && state !== "pending") return nodeLooks.indexOf(state);
    return nodeLooks.indexOf(node.disabled ? "disabled" : "untouched");
  });
}

/** The places at which two lists of looks differ. */
export function differences(one: Uint8Array, other: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 0; at < other.length; at += 1) if (one[at] !== other[at]) found.push(at);
  return found;
}

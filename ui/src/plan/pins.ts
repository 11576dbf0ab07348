import type { Edge, NodeId, NodeRunView, Plan } from "@/api/bindings";
import { pastMomentRefusal, type ShownRun } from "@/run/runAtMoment";
import { edgeKey } from "./edgeKey";
import { displayTitle } from "./nodeText";

/** Which handoffs a person means to settle, and which of them can be. Pure; what is handed on is asked elsewhere. */

/** What is shown and selected, as the editor has it. */
export interface PinContext {
  plan: Plan;
  run: ShownRun | undefined;
  selection: ReadonlySet<NodeId>;
  selectedEdges: ReadonlySet<string>;
}

/** An edge that a pin is about. */
interface PinEdge {
  edge: Edge;
  pinned: boolean;
  /** Why it cannot be pinned or unpinned now; nothing when it can. */
  refusal: string | undefined;
}

/** What pinning would do: settle what is free, or free everything when all of it is settled. */
export interface PinChange {
  act: "pin" | "unpin";
  edges: readonly Edge[];
  /** Why some of what was meant stays as it is. */
  left: readonly string[];
}

/** Whether a person settled what a child receives over an edge. */
export function isPinned(child: NodeRunView | undefined, parent: NodeId): boolean {
  return child?.pinned?.includes(parent) === true;
}

/** The selected edges, and all edges into the selected nodes. */
function pinEdges({ plan, run, selection, selectedEdges }: PinContext): PinEdge[] {
  const runs = new Map(run?.nodes.map((node) => [node.node, node]));
  const titles = new Map(plan.nodes.map(({ id, title }) => [id, displayTitle(title)]));
  return plan.edges
    .filter((edge) => selection.has(edge.child) || selectedEdges.has(edgeKey(edge)))
    .map((edge) => {
      const [parent, child] = [runs.get(edge.parent), runs.get(edge.child)];
      const pinned = isPinned(child, edge.parent);
      const [from, to] = [titles.get(edge.parent) ?? "", titles.get(edge.child) ?? ""];
      const refusal = !(parent && child)
        ? `This run has no edge from ${from} to ${to}`
        : hasReceivedInput(child)
          ? `${to} has already started`
          : pinned || parent.artifact !== null
            ? undefined
            : `${from} has no handoff yet`;
      return { edge, pinned, refusal };
    });
}

/** What the key would do, or why it would do nothing. */
export function pinChangeFor(ground: PinContext): PinChange | { refusal: string } {
  if (ground.selection.size === 0 && ground.selectedEdges.size === 0)
    return { refusal: "Select an edge or a node first" };
  if (!ground.run) return { refusal: "No run is shown, so there is no handoff yet" };
  if (ground.run.past) return { refusal: pastMomentRefusal };
  const meant = pinEdges(ground);
  const able = meant.filter(({ refusal }) => refusal === undefined);
  const left = meant.flatMap(({ refusal }) => refusal ?? []);
  if (able.length === 0) return { refusal: left[0] ?? "There are no handoffs to pin" };
  const free = able.filter(({ pinned }) => !pinned);
  return free.length > 0
    ? { act: "pin", edges: free.map(({ edge }) => edge), left }
    : { act: "unpin", edges: able.map(({ edge }) => edge), left };
}

/** Whether its living session has been given what it receives. */
function hasReceivedInput({ state }: NodeRunView): boolean {
  if (state.state === "running") return true;
  return state.state === "waiting" && (state.for.kind === "slot" || state.for.kind === "person");
}

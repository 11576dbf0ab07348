import type { Edge, Node, NodeId, NodeRunView, Plan } from "@/api/bindings";
import { pastMomentRefusal, type ShownRun } from "@/run/runAtMoment";
import { edgeKey } from "./edgeKey";
import { displayTitle } from "./nodeText";

/**
 * Decides which handoffs of the selection can be pinned or unpinned. Pure; handoff texts are loaded
 * elsewhere.
 */

export interface PinContext {
  plan: Plan;
  run: ShownRun | undefined;
  selection: ReadonlySet<NodeId>;
  selectedEdges: ReadonlySet<string>;
}

interface PinEdge {
  edge: Edge;
  pinned: boolean;
  /** Why it can't be pinned or unpinned now; undefined when it can. */
  refusal: string | undefined;
}

/**
 * What the pin command would do: pin the unpinned handoffs, or unpin all if every one is pinned.
 */
export interface PinChange {
  act: "pin" | "unpin";
  edges: readonly Edge[];
  /** Why some of the selected handoffs stay unchanged. */
  left: readonly string[];
}

/** Reports whether a person pinned what a child receives from this parent. */
export function isPinned(child: NodeRunView | undefined, parent: NodeId): boolean {
  return child?.pinned?.includes(parent) === true;
}

/** Reports whether the output of a node can be pinned. A text can't tell which branch to take. */
export function canPinOutput({ kind }: Node): boolean {
  return kind.kind !== "note" && kind.kind !== "condition";
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

/** What the pin command would do, or why it would do nothing. */
export function pinChangeFor(context: PinContext): PinChange | { refusal: string } {
  if (context.selection.size === 0 && context.selectedEdges.size === 0)
    return { refusal: "Select an edge or a node first" };
  if (!context.run) return { refusal: "No run is shown, so there is no handoff yet" };
  if (context.run.past) return { refusal: pastMomentRefusal };
  const candidates = pinEdges(context);
  const changeable = candidates.filter(({ refusal }) => refusal === undefined);
  const left = candidates.flatMap(({ refusal }) => refusal ?? []);
  if (changeable.length === 0) return { refusal: left[0] ?? "There are no handoffs to pin" };
  const free = changeable.filter(({ pinned }) => !pinned);
  return free.length > 0
    ? { act: "pin", edges: free.map(({ edge }) => edge), left }
    : { act: "unpin", edges: changeable.map(({ edge }) => edge), left };
}

/** Reports whether the node's active session has already received its input. */
function hasReceivedInput({ state }: NodeRunView): boolean {
  if (state.state === "running") return true;
  return state.state === "waiting" && (state.for.kind === "slot" || state.for.kind === "person");
}

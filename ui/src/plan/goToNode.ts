import type { NodeId, NodeStatus } from "@/api/bindings";
import { nodeStateKey } from "@/components/progress";
import type { Blueprint } from "./blueprintContext";
import { createGroupActions } from "./groupActions";

/** Selects a node and brings it into view, also out of a collapsed group. */
export function goToNode({ editor, page }: Pick<Blueprint, "editor" | "page">, node: NodeId): void {
  createGroupActions(editor, page).uncover(node);
  editor.getState().select([node]);
  page.getState().canvas?.reveal(node);
}

/**
 * Returns the node that follows the selected one in `nodes`, or precedes it if `step` is -1. Wraps
 * around. If none of them is selected, returns the first, or the last.
 */
export function neighborOfSelected(
  nodes: readonly NodeId[],
  selection: ReadonlySet<NodeId>,
  step: 1 | -1 = 1,
): NodeId | undefined {
  const at = nodes.findIndex((node) => selection.has(node));
  const from = at < 0 && step < 0 ? 0 : at;
  return nodes[(from + step + nodes.length) % nodes.length];
}

/** Goes to the node after the selected one that is in `nodes`. Returns it. */
export function goToNext(
  blueprint: Pick<Blueprint, "editor" | "page">,
  nodes: readonly NodeId[],
): NodeId | undefined {
  const { plan, selection } = blueprint.editor.getState();
  const known = new Set(plan.nodes.map(({ id }) => id));
  const next = neighborOfSelected(
    nodes.filter((id) => known.has(id)),
    selection,
  );
  if (next !== undefined) goToNode(blueprint, next);
  return next;
}

/** Goes to the next node of the shown run that is in this state. */
export function goToState(blueprint: Pick<Blueprint, "editor" | "page">, state: NodeStatus): void {
  const nodes = blueprint.editor.getState().run?.nodes ?? [];
  goToNext(
    blueprint,
    nodes.filter((node) => nodeStateKey(node.state) === state).map(({ node }) => node),
  );
}

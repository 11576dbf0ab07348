import type { Node } from "@/api/bindings";
import type { Blueprint } from "@/plan/blueprintContext";

/** Returns the refusal of a command that needs a selected node, if there is none. */
export function noneSelected({ editor }: Blueprint): string | undefined {
  return editor.getState().selection.size === 0 ? "Select a node first" : undefined;
}

/** Returns the refusal of a command that needs at least `least` selected nodes. */
export function tooFewSelected(least: number, { editor }: Blueprint): string | undefined {
  return editor.getState().selection.size < least ? `Select at least ${least} nodes` : undefined;
}

/** Returns the only selected node, or the refusal of a command that needs exactly one. */
export function singleSelectedNode({ editor }: Blueprint): { node?: Node; refusal?: string } {
  const { selection, plan } = editor.getState();
  if (selection.size === 0) return { refusal: "Select a node first" };
  if (selection.size > 1) return { refusal: "Select only one node" };
  const node = plan.nodes.find(({ id }) => selection.has(id));
  return node ? { node } : { refusal: "Select a node first" };
}

/** Returns the refusal of a canvas command outside the graph view. */
export function noCanvas({ page }: Blueprint): string | undefined {
  return page.getState().canvas === undefined ? "Show the graph first" : undefined;
}

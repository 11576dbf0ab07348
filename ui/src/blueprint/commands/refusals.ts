import type { Node } from "@/api/bindings";
import type { Blueprint } from "@/plan/blueprintContext";

/** Why an act on the selected nodes does not apply. */
export function noneSelected({ editor }: Blueprint): string | undefined {
  return editor.getState().selection.size === 0 ? "Select a node first" : undefined;
}

/** Why an act on several nodes does not apply. */
export function tooFewSelected(least: number, { editor }: Blueprint): string | undefined {
  return editor.getState().selection.size < least ? `Select ${least} nodes or more` : undefined;
}

/** The one node that is selected, or why an act on one does not apply. */
export function singleSelectedNode({ editor }: Blueprint): { node?: Node; refusal?: string } {
  const { selection, plan } = editor.getState();
  if (selection.size === 0) return { refusal: "Select a node first" };
  if (selection.size > 1) return { refusal: "Select one node only" };
  const node = plan.nodes.find(({ id }) => selection.has(id));
  return node ? { node } : { refusal: "Select a node first" };
}

/** Why an act of the drawing does not apply: only the graph has one. */
export function noCanvas({ page }: Blueprint): string | undefined {
  return page.getState().canvas === undefined ? "Show the graph first" : undefined;
}

import type { Node, RunId, WorkPlace } from "@/api/bindings";

/** Where a node works in a run, or why that isn't known. */
export function workPlaceOf(
  node: Pick<Node, "id" | "kind">,
  run: RunId | undefined,
): { place: WorkPlace; refusal?: undefined } | { place?: undefined; refusal: string } {
  if (node.kind.kind === "note") return { refusal: "Notes don't run" };
  if (run === undefined) return { refusal: "No run yet" };
  return { place: { kind: "node", run, node: node.id } };
}

import { edgeCurve } from "@/plan/edgeAnchors";
import { cardSize } from "@/plan/geometry";
import type { NodePickerRequest } from "@/plan/page";
import { rectangleOf, type Scene } from "./scene";

/**
 * The path of an edge whose other end is still being chosen in the picker: from its node to where
 * the new card will be. Undefined if the picker is open for something else. Pure.
 */
export function looseEdgePath(
  scene: Scene,
  picker: NodePickerRequest | undefined,
): string | undefined {
  const number = picker?.link && scene.indexById.get(picker.link.node);
  if (!picker?.link || !picker.at || number === undefined) return undefined;
  const { as, condition } = picker.link;
  const [node, added] = [rectangleOf(scene, number), { ...picker.at, ...cardSize }];
  const [from, to] = as === "parent" ? [node, added] : [added, node];
  const way = as === "parent" ? condition : undefined;
  const [start, first, last, end] = edgeCurve(from, to, scene.reading, way);
  return `M${start.x} ${start.y}C${first.x} ${first.y} ${last.x} ${last.y} ${end.x} ${end.y}`;
}

import { edgeCurve } from "@/plan/edgeAnchors";
import { cardSize } from "@/plan/geometry";
import type { NodePickerRequest } from "@/plan/page";
import { rectangleOf, type Scene } from "./scene";

/**
 * The path of the edges whose other end is still being chosen in the picker: from their nodes to
 * where the new card will be. Undefined if the picker is open for something else. Pure.
 */
export function looseEdgePath(
  scene: Scene,
  picker: NodePickerRequest | undefined,
): string | undefined {
  if (!picker?.link || !picker.at) return undefined;
  const { nodes, as, condition } = picker.link;
  const added = { ...picker.at, ...cardSize };
  const way = as === "parent" ? condition : undefined;
  const paths = nodes.flatMap((id) => {
    const number = scene.indexById.get(id);
    if (number === undefined) return [];
    const node = rectangleOf(scene, number);
    const [from, to] = as === "parent" ? [node, added] : [added, node];
    const [start, first, last, end] = edgeCurve(from, to, scene.reading, way);
    return `M${start.x} ${start.y}C${first.x} ${first.y} ${last.x} ${last.y} ${end.x} ${end.y}`;
  });
  return paths.length > 0 ? paths.join("") : undefined;
}

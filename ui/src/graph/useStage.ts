import { useMemo } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useEditor } from "@/blueprint/editor";
import { type Cast, castOf, mostKept, wholeCast } from "./cast";
import { type Scene, sceneWith } from "./scene";
import { mostWhole, type Sight } from "./sight";

const nobody: ReadonlySet<number> = new Set();
const empty: Cast = { nodes: [], ends: [], lines: [] };

/** The plan on the canvas at this moment: where everything lies, what of it is elements, and what of it is drawn. */
export interface Stage {
  cast: Cast;
  /** What a drawing shows. */
  drawn: { scene: Scene; selected: ReadonlySet<number>; lifted: ReadonlySet<number> };
}

/**
 * Decides who is an element. `kept` are nodes that have to be, wherever they lie; so are those that are dragged or
 * selected, as long as they are few.
 */
export function useStage(
  resting: Scene,
  moving: ReadonlyMap<NodeId, Position>,
  scene: Scene,
  sight: Sight | undefined,
  kept: readonly (NodeId | null | undefined)[],
): Stage {
  const selection = useEditor((state) => state.selection);
  const dragged = moving.size <= mostKept ? [...moving.keys()].join() : "";
  const lifted = useMemo(
    () => (dragged === "" ? nobody : numbersOf(resting, dragged.split(","))),
    [resting, dragged],
  );
  const wanted = kept.filter(Boolean).join();
  const selected = useMemo(
    () => (selection.size > mostKept ? numbersOf(resting, selection) : nobody),
    [resting, selection],
  );
  const cast = useMemo(() => {
    if (scene.nodes.length <= mostWhole) return wholeCast(scene);
    if (!sight) return empty;
    const few = selection.size > mostKept ? [] : selection;
    const ids = [...(wanted === "" ? [] : wanted.split(",")), ...few];
    return castOf(scene, sight, [...lifted, ...numbersOf(scene, ids)], [...lifted]);
  }, [scene, sight, wanted, selection, lifted]);
  return { cast, drawn: { scene: lifted.size > 0 ? resting : scene, selected, lifted } };
}

/** The scene with what moves where it is at this moment. */
export function useMovedScene(resting: Scene, moving: ReadonlyMap<NodeId, Position>): Scene {
  return useMemo(() => sceneWith(resting, moving), [resting, moving]);
}

function numbersOf(scene: Scene, ids: Iterable<NodeId>): Set<number> {
  const numbers = new Set<number>();
  for (const id of ids) {
    const number = scene.at.get(id);
    if (number !== undefined) numbers.add(number);
  }
  return numbers;
}

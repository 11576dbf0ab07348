import { useMemo } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import { type Cast, castOf, mostKept, wholeCast } from "./cast";
import { numbersOf, type Scene, sceneWith } from "./scene";
import { mostWhole, type Sight } from "./sight";

const nobody: ReadonlySet<number> = new Set();
const empty: Cast = { nodes: [], ends: [], lines: [], rest: [] };

/** The plan on the canvas at this moment: where everything lies, what of it is elements, and what of it is drawn. */
export interface Stage {
  cast: Cast;
  /** What a drawing shows. */
  drawn: {
    scene: Scene;
    selected: ReadonlySet<number>;
    lifted: ReadonlySet<number>;
    /** From nearby: the lines that are too many for elements. From afar nothing, and all is drawn. */
    only: readonly number[] | undefined;
  };
}

/**
 * Decides who is an element. `kept` are nodes that have to be, wherever they lie, and `pointed` is an edge that has to;
 * so are those that are dragged or selected, as long as they are few.
 */
export function useStage(
  resting: Scene,
  moving: ReadonlyMap<NodeId, Position>,
  scene: Scene,
  sight: Sight | undefined,
  kept: readonly (NodeId | null | undefined)[],
  pointed: string | undefined,
): Stage {
  const selection = useEditor((state) => state.selection);
  const chosen = useEditor((state) => state.selectedEdges);
  const { lines } = scene;
  const held = useMemo(() => linesCalled(lines, pointed, chosen), [lines, pointed, chosen]);
  const dragged = moving.size <= mostKept ? [...moving.keys()].join() : "";
  const lifted = useMemo(
    () => (dragged === "" ? nobody : numbersOf(resting.at, dragged.split(","))),
    [resting, dragged],
  );
  const wanted = kept.filter(Boolean).join();
  const selected = useMemo(
    () => (selection.size > mostKept ? numbersOf(resting.at, selection) : nobody),
    [resting, selection],
  );
  const cast = useMemo(() => {
    if (scene.nodes.length <= mostWhole) return wholeCast(scene);
    if (!sight) return empty;
    const few = selection.size > mostKept ? [] : selection;
    const ids = [...(wanted === "" ? [] : wanted.split(",")), ...few];
    return castOf(scene, sight, [...lifted, ...numbersOf(scene.at, ids)], [...lifted], held);
  }, [scene, sight, wanted, selection, lifted, held]);
  const only = sight?.far === true ? undefined : cast.rest;
  return { cast, drawn: { scene: lifted.size > 0 ? resting : scene, selected, lifted, only } };
}

const none: readonly number[] = [];

/** The numbers of the edge under the pointer and of the selected ones, unless those are many. */
function linesCalled(
  lines: Scene["lines"],
  pointed: string | undefined,
  chosen: ReadonlySet<string>,
): readonly number[] {
  const few = chosen.size <= mostKept;
  if (pointed === undefined && (chosen.size === 0 || !few)) return none;
  const isCalled = (key: string) => key === pointed || (few && chosen.has(key));
  return lines.flatMap(({ key }, number) => (isCalled(key) ? [number] : none));
}

/** The scene with what moves where it is at this moment. */
export function useMovedScene(resting: Scene, moving: ReadonlyMap<NodeId, Position>): Scene {
  return useMemo(() => sceneWith(resting, moving), [resting, moving]);
}

import { useMemo } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useEditor } from "@/plan/editor";
import {
  allElements,
  maxPinnedElements,
  type RenderedElements,
  selectRenderedElements,
} from "./renderedElements";
import { maxNodesWithoutCulling, type RenderWindow } from "./renderWindow";
import { indicesOf, moveInScene, type Scene } from "./scene";

const noNodes: ReadonlySet<number> = new Set();
const noElements: RenderedElements = { nodes: [], endpoints: [], lines: [], canvasLines: [] };

/** How the plan is displayed at this moment: what is rendered as elements, and what is painted. */
export interface RenderSplit {
  elements: RenderedElements;
  /** The input for the painted canvas. */
  canvas: {
    scene: Scene;
    selected: ReadonlySet<number>;
    skippedNodes: ReadonlySet<number>;
    /**
     * When zoomed in, the lines that exceed the limit for elements. Undefined when zoomed out:
     * everything is painted.
     */
    onlyLines: readonly number[] | undefined;
  };
}

/**
 * Splits the plan into elements and painted items. Nodes in `kept` and the edge `pointed` are
 * always elements, and so are dragged and selected nodes as long as they are few.
 */
export function useRenderSplit(
  resting: Scene,
  moving: ReadonlyMap<NodeId, Position>,
  scene: Scene,
  renderWindow: RenderWindow | undefined,
  kept: readonly (NodeId | null | undefined)[],
  pointed: string | undefined,
): RenderSplit {
  const selection = useEditor((state) => state.selection);
  const chosen = useEditor((state) => state.selectedEdges);
  const { lines } = scene;
  const held = useMemo(() => highlightedLines(lines, pointed, chosen), [lines, pointed, chosen]);
  const dragged = moving.size <= maxPinnedElements ? [...moving.keys()].join() : "";
  const skippedNodes = useMemo(
    () => (dragged === "" ? noNodes : indicesOf(resting.indexById, dragged.split(","))),
    [resting, dragged],
  );
  const wanted = kept.filter(Boolean).join();
  const selected = useMemo(
    () => (selection.size > maxPinnedElements ? indicesOf(resting.indexById, selection) : noNodes),
    [resting, selection],
  );
  const elements = useMemo(() => {
    if (scene.nodes.length <= maxNodesWithoutCulling) return allElements(scene);
    if (!renderWindow) return noElements;
    const few = selection.size > maxPinnedElements ? [] : selection;
    const ids = [...(wanted === "" ? [] : wanted.split(",")), ...few];
    return selectRenderedElements(
      scene,
      renderWindow,
      [...skippedNodes, ...indicesOf(scene.indexById, ids)],
      [...skippedNodes],
      held,
    );
  }, [scene, renderWindow, wanted, selection, skippedNodes, held]);
  const onlyLines = renderWindow?.overview === true ? undefined : elements.canvasLines;
  return {
    elements,
    canvas: { scene: skippedNodes.size > 0 ? resting : scene, selected, skippedNodes, onlyLines },
  };
}

const none: readonly number[] = [];

/**
 * The indexes of the edge under the pointer and of the selected edges, unless there are too many.
 */
function highlightedLines(
  lines: Scene["lines"],
  pointed: string | undefined,
  chosen: ReadonlySet<string>,
): readonly number[] {
  const few = chosen.size <= maxPinnedElements;
  if (pointed === undefined && (chosen.size === 0 || !few)) return none;
  const isCalled = (key: string) => key === pointed || (few && chosen.has(key));
  return lines.flatMap(({ key }, number) => (isCalled(key) ? [number] : none));
}

/** The scene with moving nodes at their current positions. */
export function useMovedScene(resting: Scene, moving: ReadonlyMap<NodeId, Position>): Scene {
  return useMemo(() => moveInScene(resting, moving), [resting, moving]);
}

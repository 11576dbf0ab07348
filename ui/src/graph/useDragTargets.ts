import { useStoreApi } from "@xyflow/react";
import { useCallback, useState } from "react";
import type { GroupId, NodeId, Position } from "@/api/bindings";
import { useBlueprint } from "@/plan/blueprintContext";
import { isUnconnected } from "@/plan/edits";
import type { Rectangle } from "@/plan/geometry";
import { type Frame, groupChangesOnDrop } from "./frames";
import { type HelperLine, snapTo } from "./helperLines";
import { lineAt } from "./lineAt";
import { nodesIn, rectangleOf, type Scene } from "./scene";
import { viewportOf } from "./useRenderWindow";

type Places = ReadonlyMap<NodeId, Position>;
const noLines: HelperLine[] = [];
/** How close a node must come to snap into alignment, in pixels. */
const reach = 5;

/**
 * The drop targets of dragged nodes: an edge for a single unconnected node, or the frame of a
 * group. Also the guides for a single node. Shows them on the page during the drag.
 */
export function useDragTargets(scene: Scene, frames: readonly Frame[]) {
  const { editor, page } = useBlueprint();
  const store = useStoreApi();
  const [lines, setLines] = useState<readonly HelperLine[]>(noLines);

  /** The position of a dragged node, snapped to its neighbors. Only for a single node. */
  const lineUp = useCallback(
    (id: NodeId, place: Position): Position => {
      const view = viewportOf(store.getState());
      const number = scene.indexById.get(id);
      if (!view || number === undefined) return place;
      const inView: Rectangle = {
        x: -view.x / view.zoom,
        y: -view.y / view.zoom,
        width: view.width / view.zoom,
        height: view.height / view.zoom,
      };
      const neighbors = nodesIn(scene, inView, maxSnapNeighbors).filter(
        (other) => other !== number,
      );
      const { by, lines } = snapTo(
        { ...rectangleOf(scene, number), ...place },
        neighbors.map((other) => rectangleOf(scene, other)),
        reach / view.zoom,
      );
      setLines(lines);
      return { x: place.x + by.x, y: place.y + by.y };
    },
    [scene, store],
  );

  const edgeUnder = useCallback(
    (places: Places): { key: string; id: NodeId; at: Position } | undefined => {
      const [only, ...others] = [...places];
      if (!only || others.length > 0) return undefined;
      const [id, at] = only;
      const box = sizeIn(scene, id);
      if (!box || !isUnconnected(editor.getState().plan, id)) return undefined;
      const middle = { x: at.x + box.width / 2, y: at.y + box.height / 2 };
      const key = lineAt(scene, middle)?.key;
      return key === undefined ? undefined : { key, id, at };
    },
    [scene, editor],
  );

  /** The group changes if the nodes were dropped here. */
  const groupsUnder = useCallback(
    (places: Places): Map<NodeId, GroupId | undefined> =>
      groupChangesOnDrop(
        editor.getState().plan.groups,
        frames,
        places,
        (id) => sizeIn(scene, id) ?? { width: 0, height: 0 },
      ),
    [scene, frames, editor],
  );

  const follow = useCallback(
    (places: Places) => {
      const dropEdge = edgeUnder(places)?.key;
      const dropGroup = [...groupsUnder(places).values()].find((id) => id !== undefined);
      const now = page.getState();
      if (now.dropEdge !== dropEdge || now.dropGroup !== dropGroup)
        page.setState({ dropEdge, dropGroup });
    },
    [page, edgeUnder, groupsUnder],
  );

  /** Clears the highlighted drop targets. */
  const forget = useCallback(() => {
    const { dropEdge, dropGroup } = page.getState();
    if (dropEdge !== undefined || dropGroup !== undefined)
      page.setState({ dropEdge: undefined, dropGroup: undefined });
  }, [page]);

  const hideLines = useCallback(() => setLines(noLines), []);

  const leave = useCallback(() => {
    hideLines();
    forget();
  }, [hideLines, forget]);

  return { lines, lineUp, hideLines, follow, forget, leave, edgeUnder, groupsUnder };
}

/** With more neighbors in view, nodes are too small to align with. */
const maxSnapNeighbors = 400;

function sizeIn(scene: Scene, id: NodeId): Rectangle | undefined {
  const number = scene.indexById.get(id);
  return number === undefined ? undefined : rectangleOf(scene, number);
}

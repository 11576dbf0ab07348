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
/** How near a node has to come to line up by itself, in pixels. */
const reach = 5;

/**
 * What dragged nodes would go into where they are: an edge, for a single node that is free, or the frame of a group; and
 * with which neighbors a single node lines up. Shows it on the page while the drag lasts.
 */
export function useDragTargets(scene: Scene, frames: readonly Frame[]) {
  const { editor, page } = useBlueprint();
  const store = useStoreApi();
  const [lines, setLines] = useState<readonly HelperLine[]>(noLines);

  /** The place of a dragged node, lined up with its neighbors; only one at a time lines up. */
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

  /** Who would change groups, were the nodes let go where they are. */
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

  /** Shows nothing that they would go into: they would not. */
  const forget = useCallback(() => {
    const { dropEdge, dropGroup } = page.getState();
    if (dropEdge !== undefined || dropGroup !== undefined)
      page.setState({ dropEdge: undefined, dropGroup: undefined });
  }, [page]);

  const leave = useCallback(() => {
    setLines(noLines);
    forget();
  }, [forget]);

  return { lines, lineUp, follow, forget, leave, edgeUnder, groupsUnder };
}

/** More neighbors in view than these are too small to line up with. */
const maxSnapNeighbors = 400;

function sizeIn(scene: Scene, id: NodeId): Rectangle | undefined {
  const number = scene.indexById.get(id);
  return number === undefined ? undefined : rectangleOf(scene, number);
}

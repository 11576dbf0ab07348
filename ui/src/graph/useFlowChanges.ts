import { type EdgeChange, type NodeChange, useStoreApi } from "@xyflow/react";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useBlueprint } from "@/plan/blueprintContext";
import { placeOf, type Scene } from "./scene";
import type { PlanEdge } from "./toEdges";
import type { CardNode } from "./toFlow";
import { useCancelableGesture } from "./useCancelableGesture";
import type { useDragTargets } from "./useDragTargets";

type Places = ReadonlyMap<NodeId, Position>;

/** Maps group cards to the nodes that they stand for. */
export interface GroupExpansion {
  members: (ids: Iterable<NodeId>) => NodeId[];
  placesOf: (places: Places) => Places;
}

const nowhere: Places = new Map();

/**
 * Handles React Flow's changes. Positions stay local during a drag, so that one drag is one edit.
 * Selections go straight to the editor. Measured sizes are ignored, because sizes are known. React
 * Flow may know only a part of the selection; the rest moves along with a drag, and is deselected
 * when something else is selected.
 */
export function useFlowChanges(
  frame: RefObject<HTMLElement | null>,
  scene: Scene,
  { members, placesOf }: GroupExpansion,
) {
  const { editor, edit } = useBlueprint();
  const store = useStoreApi();
  const [moving, setMoving] = useState<Places>(nowhere);
  const latest = useRef<Places>(nowhere);
  const { alt: free, held } = useHeld();
  const copying = useRef(false);
  const targets = useRef<DragTargets>(undefined);
  const press = useCancelableGesture(frame, () => latest.current.size > 0);
  const boxAdds = useCallback(() => {
    const { userSelectionRect } = store.getState();
    return userSelectionRect && press.held.current?.adds ? press.held.current : undefined;
  }, [store, press.held]);

  const show = useCallback((places: Places) => {
    latest.current = places;
    setMoving(places);
  }, []);

  const onNodesChange = useCallback(
    (changes: NodeChange<CardNode>[]) => {
      const places = new Map(latest.current);
      const before = editor.getState().selection;
      const selection = new Set(isChoice(store.getState(), changes) ? [] : before);
      for (const change of changes) {
        if (change.type === "position" && change.position && change.dragging) {
          if (before.has(change.id)) moveAlong(places, scene, before, change.id, change.position);
          const alone = before.size <= 1 && !held.current.alt;
          if (!alone) targets.current?.hideLines();
          const lined = alone && targets.current?.lineUp(change.id, change.position);
          places.set(change.id, lined || change.position);
        }
        if (change.type === "select")
          for (const id of members([change.id])) toggle(selection, id, change.selected);
      }
      const drags = changes.some((change) => change.type === "position" && change.dragging);
      if (drags && !press.wasCanceled()) {
        show(places);
        if (held.current.stays || copying.current) targets.current?.forget();
        else targets.current?.follow(placesOf(places));
      }
      for (const id of boxAdds()?.nodes ?? []) selection.add(id);
      if (changes.some((change) => change.type === "select"))
        editor.getState().select(selection, editor.getState().selectedEdges);
    },
    [editor, show, store, scene, members, placesOf, held, press, boxAdds],
  );

  const onEdgesChange = useCallback(
    (changes: EdgeChange<PlanEdge>[]) => {
      const choice = isChoice(store.getState(), changes);
      const selected = new Set(choice ? [] : editor.getState().selectedEdges);
      for (const change of changes) {
        if (change.type === "select") toggle(selected, change.id, change.selected);
      }
      for (const key of boxAdds()?.edges ?? []) selected.add(key);
      editor.getState().select(choice ? [] : editor.getState().selection, selected);
    },
    [editor, store, boxAdds],
  );

  const begin = useCallback(
    (event: PointerLike) => {
      copying.current = event.altKey;
      store.getState().domNode?.toggleAttribute("data-copying", event.altKey);
    },
    [store],
  );

  /**
   * Drops what is dragged: into an edge, into a group, or at its position; always at its position
   * while Ctrl or Cmd is held.
   */
  const settle = useCallback(
    (event?: PointerLike) => {
      const places = press.wasCanceled() ? nowhere : placesOf(latest.current);
      const stays = event?.ctrlKey === true || event?.metaKey === true;
      const edge = stays ? undefined : targets.current?.edgeUnder(places);
      const groups = stays ? undefined : targets.current?.groupsUnder(places);
      if (copying.current && places.size > 0) edit.duplicateTo(places);
      else if (edge) edit.splice(edge.key, edge.id, edge.at);
      else if (places.size > 0) edit.move(places, groups);
      copying.current = false;
      store.getState().domNode?.removeAttribute("data-copying");
      show(nowhere);
      targets.current?.leave();
    },
    [edit, store, show, placesOf, press],
  );

  return { moving, free, targets, press, onNodesChange, onEdgesChange, begin, settle, show };
}

type Selecting = { multiSelectionActive: boolean; userSelectionRect: unknown };
type Change = { type: string; selected?: boolean };

/**
 * Reports whether the change replaces the selection: by a click, not by a box or with a modifier
 * key.
 */
function isChoice(
  { multiSelectionActive, userSelectionRect }: Selecting,
  changes: readonly Change[],
) {
  const chosen = changes.some((change) => change.type === "select" && change.selected);
  return chosen && !multiSelectionActive && !userSelectionRect;
}

/** Moves the whole selection by the distance that one of its nodes was dragged. */
function moveAlong(
  places: Map<NodeId, Position>,
  scene: Scene,
  selection: ReadonlySet<NodeId>,
  dragged: NodeId,
  to: Position,
): void {
  const from = placeOf(scene, dragged);
  if (!from || selection.size === 1) return;
  for (const id of selection) {
    const place = placeOf(scene, id);
    if (place) places.set(id, { x: place.x + to.x - from.x, y: place.y + to.y - from.y });
  }
}

function toggle(items: Set<string>, item: string, there: boolean): void {
  if (there) items.add(item);
  else items.delete(item);
}

type PointerLike = { altKey: boolean; ctrlKey: boolean; metaKey: boolean };
type DragTargets = ReturnType<typeof useDragTargets>;

/**
 * The modifier keys during a drag. Alt: no snapping to the grid or to neighbors. Ctrl or Cmd: no
 * drop into an edge or group.
 */
function useHeld(): { alt: boolean; held: RefObject<{ alt: boolean; stays: boolean }> } {
  const [alt, setAlt] = useState(false);
  const held = useRef({ alt: false, stays: false });
  useEffect(() => {
    const set = (now: { alt: boolean; stays: boolean }) => {
      held.current = now;
      setAlt(now.alt);
    };
    const follow = ({ altKey, ctrlKey, metaKey }: KeyboardEvent) =>
      set({ alt: altKey, stays: ctrlKey || metaKey });
    const leave = () => set({ alt: false, stays: false });
    window.addEventListener("keydown", follow);
    window.addEventListener("keyup", follow);
    window.addEventListener("blur", leave);
    return () => {
      window.removeEventListener("keydown", follow);
      window.removeEventListener("keyup", follow);
      window.removeEventListener("blur", leave);
    };
  }, []);
  return { alt, held };
}

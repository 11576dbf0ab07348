import { type EdgeChange, type NodeChange, useStoreApi } from "@xyflow/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useBlueprint } from "@/blueprint/blueprintContext";
import { placeOf, type Scene } from "./scene";
import type { PlanEdge } from "./toEdges";
import type { CardNode } from "./toFlow";

type Places = ReadonlyMap<NodeId, Position>;
const nowhere: Places = new Map();

/**
 * Takes in what a pointer does on the canvas. Where nodes are dragged stays here until they are let go: one drag is one
 * edit. Selections go straight to the editor. Sizes that React Flow measures are not wanted: they are known. React Flow
 * may know only a part of what is selected; the rest moves along, and is let go when something else is chosen.
 */
export function useFlowChanges(scene: Scene) {
  const { editor, edit } = useBlueprint();
  const store = useStoreApi();
  const [moving, setMoving] = useState<Places>(nowhere);
  const latest = useRef<Places>(nowhere);
  const free = useAlt();

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
          places.set(change.id, change.position);
        }
        if (change.type === "select") toggle(selection, change.id, change.selected);
      }
      if (changes.some((change) => change.type === "position" && change.dragging)) show(places);
      if (changes.some((change) => change.type === "select"))
        editor.getState().select(selection, editor.getState().selectedEdges);
    },
    [editor, show, store, scene],
  );

  const onEdgesChange = useCallback(
    (changes: EdgeChange<PlanEdge>[]) => {
      const choice = isChoice(store.getState(), changes);
      const selected = new Set(choice ? [] : editor.getState().selectedEdges);
      for (const change of changes) {
        if (change.type === "select") toggle(selected, change.id, change.selected);
      }
      editor.getState().select(choice ? [] : editor.getState().selection, selected);
    },
    [editor, store],
  );

  const settle = useCallback(() => {
    if (latest.current.size > 0) edit.move(latest.current);
    show(nowhere);
  }, [edit, show]);

  return { moving, free, onNodesChange, onEdgesChange, settle, show };
}

type Selecting = { multiSelectionActive: boolean; userSelectionRect: unknown };
type Change = { type: string; selected?: boolean };

/** Whether something is selected in place of everything else: by a press, not by a box or with a key held. */
function isChoice(
  { multiSelectionActive, userSelectionRect }: Selecting,
  changes: readonly Change[],
) {
  const chosen = changes.some((change) => change.type === "select" && change.selected);
  return chosen && !multiSelectionActive && !userSelectionRect;
}

/** Moves everything of a selection as far as one of its nodes was dragged. */
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

/** Whether Alt is down: nodes then leave the grid. */
function useAlt(): boolean {
  const [down, setDown] = useState(false);
  useEffect(() => {
    const follow = (event: KeyboardEvent) => setDown(event.altKey);
    const leave = () => setDown(false);
    window.addEventListener("keydown", follow);
    window.addEventListener("keyup", follow);
    window.addEventListener("blur", leave);
    return () => {
      window.removeEventListener("keydown", follow);
      window.removeEventListener("keyup", follow);
      window.removeEventListener("blur", leave);
    };
  }, []);
  return down;
}

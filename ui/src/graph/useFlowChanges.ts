import type { EdgeChange, NodeChange } from "@xyflow/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { NodeId, Position } from "@/api/bindings";
import { useBlueprint } from "@/blueprint/blueprintContext";
import type { PlanEdge } from "./toEdges";
import type { CardNode } from "./toFlow";

type Places = ReadonlyMap<NodeId, Position>;
const nowhere: Places = new Map();

/**
 * Takes in what a pointer does on the canvas. Where nodes are dragged stays here until they are let go: one drag is one
 * edit. Selections go straight to the editor. Sizes that React Flow measures are not wanted: they are known.
 */
export function useFlowChanges() {
  const { editor, edit } = useBlueprint();
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
      const selection = new Set(editor.getState().selection);
      for (const change of changes) {
        if (change.type === "position" && change.position && change.dragging)
          places.set(change.id, change.position);
        if (change.type === "select") toggle(selection, change.id, change.selected);
      }
      if (changes.some((change) => change.type === "position" && change.dragging)) show(places);
      if (changes.some((change) => change.type === "select"))
        editor.getState().select(selection, editor.getState().selectedEdges);
    },
    [editor, show],
  );

  const onEdgesChange = useCallback(
    (changes: EdgeChange<PlanEdge>[]) => {
      const selected = new Set(editor.getState().selectedEdges);
      for (const change of changes) {
        if (change.type === "select") toggle(selected, change.id, change.selected);
      }
      editor.getState().select(editor.getState().selection, selected);
    },
    [editor],
  );

  const settle = useCallback(() => {
    if (latest.current.size > 0) edit.move(latest.current);
    show(nowhere);
  }, [edit, show]);

  return { moving, free, onNodesChange, onEdgesChange, settle, show };
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

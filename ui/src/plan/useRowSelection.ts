import { type MouseEvent, useRef } from "react";
import type { NodeId } from "@/api/bindings";
import { useBlueprint } from "./blueprintContext";

/**
 * Selects rows by click: one row, with Ctrl toggling a row, with Shift a range from the last
 * clicked row.
 */
export function useRowSelection(rows: () => readonly NodeId[]) {
  const { editor } = useBlueprint();
  const anchor = useRef<NodeId>(undefined);

  return (event: MouseEvent, id: NodeId) => {
    const { selection, select } = editor.getState();
    if (event.shiftKey && anchor.current !== undefined) {
      const ids = rows();
      const [from, to] = [ids.indexOf(anchor.current), ids.indexOf(id)];
      if (from < 0 || to < 0) return;
      select(ids.slice(Math.min(from, to), Math.max(from, to) + 1));
      return;
    }
    anchor.current = id;
    if (event.ctrlKey || event.metaKey) {
      const next = new Set(selection);
      if (!next.delete(id)) next.add(id);
      select(next);
    } else {
      select([id]);
    }
  };
}

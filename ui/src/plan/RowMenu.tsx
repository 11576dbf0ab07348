import { type MouseEvent, type ReactElement, useState } from "react";
import { ContextualMenu, type MenuEntry } from "@/components/Menu";
import { useBlueprint } from "./blueprintContext";
import { nodeEntries } from "./canvasMenuEntries";

/** The context menu of a list row: the same entries as for the node on the canvas. */
export function RowMenu({ children }: { children: ReactElement }): ReactElement {
  const blueprint = useBlueprint();
  const [entries, setEntries] = useState<MenuEntry[]>([]);

  function prepare(event: MouseEvent) {
    const id = (event.target as Element).closest<HTMLElement>("[data-row]")?.dataset.row;
    const { editor } = blueprint;
    if (id !== undefined && !editor.getState().selection.has(id)) editor.getState().select([id]);
    setEntries(id === undefined ? [] : nodeEntries(id, blueprint));
    if (id === undefined) event.stopPropagation();
  }

  return (
    <ContextualMenu entries={entries}>
      <div onContextMenuCapture={prepare}>{children}</div>
    </ContextualMenu>
  );
}

import { type MouseEvent, type ReactElement, useState } from "react";
import { ContextualMenu, type MenuEntry } from "@/components/Menu";
import { useBlueprint } from "@/plan/blueprintContext";
import { canvasMenuEntries, type MenuTarget } from "@/plan/canvasMenuEntries";
import { singleOf } from "@/plan/planAccess";

/** The menu of whatever lies under the pointer: a node, an edge, or the empty canvas. */
export function CanvasMenu({ children }: { children: ReactElement }): ReactElement {
  const blueprint = useBlueprint();
  const [entries, setEntries] = useState<MenuEntry[]>([]);

  function prepare(event: MouseEvent) {
    const { editor } = blueprint;
    const isGroup = (id: string) => editor.getState().plan.groups.some((group) => group.id === id);
    const target = edgeByKey(event) ?? targetOf(event, isGroup);
    if (target.kind === "node" && !editor.getState().selection.has(target.id))
      editor.getState().select([target.id]);
    if (target.kind === "group") blueprint.edit.selectGroup(target.id);
    if (target.kind === "edge") editor.getState().select([], [target.key]);
    setEntries(canvasMenuEntries(target, blueprint));
  }

  /** On the menu key, what is selected counts: an edge has no focus of its own. */
  function edgeByKey({ button, ctrlKey, clientX, clientY }: MouseEvent): MenuTarget | undefined {
    const { selection, selectedEdges } = blueprint.editor.getState();
    const key = selection.size === 0 ? singleOf(selectedEdges) : undefined;
    const isPress = button === 2 || ctrlKey;
    return key === undefined || isPress
      ? undefined
      : { kind: "edge", key, screen: { x: clientX, y: clientY } };
  }

  return (
    <ContextualMenu entries={entries}>
      <div className="absolute inset-0" onContextMenuCapture={prepare}>
        {children}
      </div>
    </ContextualMenu>
  );
}

function targetOf(event: MouseEvent, isGroup: (id: string) => boolean): MenuTarget {
  const screen = { x: event.clientX, y: event.clientY };
  const element = event.target as Element;
  // The panels around the canvas carry this attribute too.
  const group = element.closest<HTMLElement>(".group-frame [data-group]")?.dataset.group;
  if (group) return { kind: "group", id: group };
  const node = element.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  if (node && isGroup(node)) return { kind: "group", id: node };
  if (node) return { kind: "node", id: node };
  const edge = element.closest(".react-flow__edge")?.getAttribute("data-id");
  return edge ? { kind: "edge", key: edge, screen } : { kind: "canvas", screen };
}

import { type MouseEvent, type ReactElement, useState } from "react";
import { ContextualMenu, type MenuEntry } from "@/components/Menu";
import { useBlueprint } from "@/plan/blueprintContext";
import { canvasMenuEntries, type MenuTarget } from "@/plan/canvasMenuEntries";
import { singleOf } from "@/plan/planAccess";

/** The context menu for what is under the pointer: a node, a group, an edge or the empty canvas. */
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

  /** The menu key opens the menu of the selected edge, because edges can't have the focus. */
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
  // Other panels use `data-group` too, so match it only inside a group frame.
  const group = element.closest<HTMLElement>(".group-frame [data-group]")?.dataset.group;
  if (group) return { kind: "group", id: group };
  const node = element.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  if (node && isGroup(node)) return { kind: "group", id: node };
  if (node) return { kind: "node", id: node };
  const edge = element.closest(".react-flow__edge")?.getAttribute("data-id");
  return edge ? { kind: "edge", key: edge, screen } : { kind: "canvas", screen };
}

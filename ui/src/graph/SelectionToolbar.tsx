import { useStore } from "@xyflow/react";
import {
  Copy,
  Group,
  Play,
  Power,
  RotateCcw,
  RotateCw,
  SkipForward,
  Spline,
  Square,
  Trash2,
} from "lucide-react";
import {
  memo,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { CommandId } from "@/commands/catalog";
import {
  commandLabel,
  disabledReason,
  runCommand,
  useCommandRegistry,
} from "@/commands/commandRegistry";
import { ToolButton } from "@/commands/ToolButton";
import { classes } from "@/components/classes";
import { useEditor } from "@/plan/editor";
import { formatChosen } from "@/plan/nodeCounts";
import { boundsOf, type Scene } from "./scene";
import { selectionToolbarPlace } from "./selectionToolbarPlace";
import { viewportOf } from "./useRenderWindow";

/**
 * The actions on several selected nodes, once for all of them. A single node has its own on its
 * card.
 */
export function SelectionToolbar({ scene }: { scene: Scene }): ReactElement | null {
  const selection = useEditor((state) => state.selection);
  // A toolbar under the pointer would end the selection box.
  const isSelecting = useStore((state) => state.userSelectionActive);
  const bounds = useMemo(
    () => (selection.size > 1 ? boundsOf(scene, [...selection]) : undefined),
    [scene, selection],
  );
  return bounds && !isSelecting ? <Placed bounds={bounds} /> : null;
}

function Placed({ bounds }: { bounds: NonNullable<ReturnType<typeof boundsOf>> }): ReactElement {
  const bar = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const transform = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const view = viewportOf({ transform, width, height });
  const place = view && selectionToolbarPlace(bounds, view, size);
  // After every change, because the actions depend on the selection and the run.
  useLayoutEffect(() => {
    const { offsetWidth = 0, offsetHeight = 0 } = bar.current ?? {};
    if (offsetWidth !== size.width || offsetHeight !== size.height)
      setSize({ width: offsetWidth, height: offsetHeight });
  });
  return (
    <div
      ref={bar}
      style={{ translate: place && `${place.x}px ${place.y}px` }}
      className={classes("absolute top-0 left-0 z-10 max-w-full", !place && "invisible")}
    >
      <Actions />
    </div>
  );
}

const runActions: [CommandId, ReactNode][] = [
  ["run_selected", <Play key="run" />],
  ["retry", <RotateCw key="retry" />],
  ["rerun", <RotateCcw key="rerun" />],
  ["stop_node", <Square key="stop" />],
  ["skip", <SkipForward key="skip" />],
];
const editActions: [CommandId, ReactNode][] = [
  ["connect", <Spline key="connect" />],
  ["group", <Group key="group" />],
  ["duplicate", <Copy key="duplicate" />],
  ["disable", <Power key="disable" />],
  ["delete", <Trash2 key="delete" />],
];

/**
 * What applies to at least one of the nodes. The buttons are not tab stops, because each action has
 * a shortcut or is in the menu. Memoized, because the toolbar moves with the view.
 */
const Actions = memo(function Actions(): ReactElement {
  const nodes = useEditor((state) => state.plan.nodes);
  const selection = useEditor((state) => state.selection);
  const isPast = useEditor((state) => state.run?.past !== undefined);
  // What can be done depends on the states of the nodes.
  useEditor((state) => state.run);
  useCommandRegistry();
  const shown = (actions: typeof runActions) =>
    actions.filter(([id]) => disabledReason(id) === undefined);
  const what = formatChosen(nodes, selection);
  const acts = shown(runActions);
  const edits = isPast ? [] : shown(editActions);
  return (
    <div
      role="toolbar"
      aria-label={`Actions for ${what}`}
      className="flex w-max items-center rounded-control border bg-overlay p-px shadow-float"
    >
      <span className="whitespace-nowrap px-1.5 text-12 text-muted tabular-nums">{what}</span>
      {acts.map(toButton)}
      {acts.length > 0 && edits.length > 0 && <span className="mx-0.5 h-4 w-px bg-line" />}
      {edits.map(toButton)}
    </div>
  );
});

function toButton([id, icon]: [CommandId, ReactNode]): ReactElement {
  return (
    <ToolButton
      key={id}
      command={id}
      side="top"
      tabIndex={-1}
      label={commandLabel(id)}
      icon={icon}
      onClick={() => runCommand(id)}
    />
  );
}

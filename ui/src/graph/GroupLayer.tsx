import { useReactFlow, ViewportPortal } from "@xyflow/react";
import { ChevronDown } from "lucide-react";
import { type KeyboardEvent, memo, type PointerEvent, type ReactElement, useMemo } from "react";
import type { Group, NodeId, Position } from "@/api/bindings";
import { classes } from "@/components/classes";
import { usePointerDrag } from "@/components/pointerDrag";
import { TitleInput } from "@/components/TitleInput";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import type { Rectangle } from "@/plan/geometry";
import { snapToGrid } from "@/plan/geometry";
import { formatMembers } from "@/plan/nodeCounts";
import { displayTitle } from "@/plan/nodeText";
import { type Frame, frameHead } from "./frames";

export interface GroupLayerProps {
  frames: readonly Frame[];
  /** Frames that are already painted on the canvas below. */
  canvasFrames: readonly Frame[];
  /** Returns the position of a member at rest. */
  placeOf: (node: NodeId) => Position | undefined;
  /** Shows nodes at other positions while a frame is dragged. */
  onDrag: (places: ReadonlyMap<NodeId, Position>) => void;
  onDrop: () => void;
}

/**
 * The frames of groups, behind everything else. Only the header of a frame takes the pointer;
 * clicks inside it reach the canvas.
 */
export function GroupLayer({ frames, canvasFrames, ...drag }: GroupLayerProps): ReactElement {
  const isDrawn = useMemo(() => new Set(canvasFrames.map(({ group }) => group.id)), [canvasFrames]);
  return (
    <ViewportPortal>
      {frames.map(({ group, box }) => (
        <GroupFrame
          key={group.id}
          group={group}
          box={box}
          isDrawn={isDrawn.has(group.id)}
          {...drag}
        />
      ))}
    </ViewportPortal>
  );
}

type DragProps = Omit<GroupLayerProps, "frames" | "canvasFrames">;
type FrameProps = DragProps & { group: Group; box: Rectangle; isDrawn: boolean };

const GroupFrame = memo(
  function GroupFrame({ group, box, isDrawn, ...drag }: FrameProps): ReactElement {
    const isTarget = usePage((state) => state.dropGroup === group.id);
    const isSelected = useEditor(({ selection }) => group.nodes.every((id) => selection.has(id)));
    const { x, y, width, height } = box;
    return (
      <div
        data-color={group.color}
        data-drawn-below={isDrawn || undefined}
        style={{ transform: `translate(${x}px,${y}px)`, width, height }}
        className={classes(
          "group-frame pointer-events-none absolute top-0 left-0 rounded-card border outline-accent outline-offset-2",
          isSelected && "outline-2",
          isTarget && "group-frame-target",
        )}
      >
        <Head group={group} {...drag} />
      </div>
    );
  },
  (one, other) =>
    one.group === other.group &&
    one.isDrawn === other.isDrawn &&
    one.box.x === other.box.x &&
    one.box.y === other.box.y &&
    one.box.width === other.box.width &&
    one.box.height === other.box.height &&
    one.placeOf === other.placeOf,
);

function Head({ group, ...drag }: DragProps & { group: Group }): ReactElement {
  const { edit } = useBlueprint();
  const renaming = usePage((state) => state.renamingGroup === group.id);
  const title = displayTitle(group.title);
  const begin = useFrameDrag(group, drag);
  const size = useEditor(({ plan }) => formatMembers(plan, group));

  function press(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    edit.selectGroup(group.id, event.shiftKey);
  }

  return (
    <div style={{ height: frameHead }} className="group-head pointer-events-none flex items-center">
      <div className="group-label pointer-events-auto flex min-w-0 items-center gap-1 pl-1">
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Collapse group ${title}`}
          title="Collapse (Alt+G)"
          onClick={() => edit.setCollapsed([group.id], true)}
          className="flex size-5 shrink-0 items-center justify-center rounded-small text-muted hover:bg-hover hover:text-fg active:bg-active"
        >
          <ChevronDown aria-hidden="true" className="size-3.5" />
        </button>
        {renaming ? (
          <TitleInput
            label="Group title"
            title={group.title}
            onDone={(next) => edit.renameGroup(group.id, next)}
          />
        ) : (
          // biome-ignore lint/a11y/useSemanticElements: a button can't be dragged in Firefox
          <div
            role="button"
            tabIndex={0}
            data-group={group.id}
            dir="auto"
            aria-label={`Group ${title}, ${size}`}
            title={`${title}\nDrag to move the group, double-click to rename it`}
            onPointerDown={begin}
            onDoubleClick={() => edit.startRenameGroup(group.id)}
            onKeyDown={press}
            className="nopan cursor-grab truncate rounded-small px-1 font-medium text-12 leading-5 outline-offset-0 active:cursor-grabbing"
          >
            {title}
          </div>
        )}
      </div>
    </div>
  );
}

const threshold = 3;

/** Drags all members of a group by the header of its frame. A press without a move selects them. */
function useFrameDrag(
  group: Group,
  { placeOf, onDrag, onDrop }: DragProps,
): (event: PointerEvent<HTMLElement>) => void {
  const { edit } = useBlueprint();
  const { getZoom } = useReactFlow();
  const follow = usePointerDrag();

  return (event) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    const [startX, startY, more] = [event.clientX, event.clientY, event.shiftKey];
    const starts = group.nodes.flatMap((id) => {
      const place = placeOf(id);
      return place ? [[id, place] as const] : [];
    });
    let moved = false;
    const move = (to: globalThis.PointerEvent) => {
      const [dx, dy] = [to.clientX - startX, to.clientY - startY];
      moved ||= Math.hypot(dx, dy) > threshold;
      if (!moved) return;
      const free = { x: dx / getZoom(), y: dy / getZoom() };
      const by = to.altKey ? free : snapToGrid(free);
      onDrag(new Map(starts.map(([id, { x, y }]) => [id, { x: x + by.x, y: y + by.y }])));
    };
    const drop = () => {
      if (moved) onDrop();
      else edit.selectGroup(group.id, more);
    };
    follow({ move, drop, cancel: () => onDrag(new Map()) });
  };
}

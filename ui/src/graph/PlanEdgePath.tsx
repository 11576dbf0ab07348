import { BaseEdge, type EdgeProps, getBezierPath, Position as Side } from "@xyflow/react";
import { type MouseEvent, memo } from "react";
import { classes } from "@/components/classes";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { type EdgeCondition, edgeConditionLabels } from "@/plan/conditionalEdges";
import { useEditor } from "@/plan/editor";
import type { PlanEdge } from "./toEdges";

const tip = 8;
const tipRight = `l${-tip} ${-tip / 2}v${tip}`;
const tipDown = `l${-tip / 2} ${-tip}h${tip}`;

/**
 * An edge: the right node waits for the left one. Dashed when soft,
 * with short dashes when inferred, in the accent color on the path
 * of the run, in the color of what is done where the run has been. Branches and jumps have a label, and fade when the run took another way.
 */
export const PlanEdgePath = memo(function PlanEdgePath(props: EdgeProps<PlanEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = props;
  const condition = props.data?.condition;
  const isTarget = usePage((state) => state.dropEdge === id);
  const down = targetPosition === Side.Top;
  const [path, middleX, middleY] = getBezierPath({
    sourceX,
    sourceY,
    sourcePosition,
    targetX: down ? targetX : targetX - tip + 1,
    targetY: down ? targetY - tip + 1 : targetY,
    targetPosition,
  });
  const className = classes(
    "plan-edge",
    props.data?.carried && "plan-edge-carried",
    props.data?.onPath && "plan-edge-path",
    props.selected && "plan-edge-selected",
    condition && `plan-edge-${condition}`,
    props.data?.critical && "plan-edge-critical",
    props.data?.passedBy && "plan-edge-passed",
    isTarget && "plan-edge-target",
  );
  return (
    <g className={className}>
      <BaseEdge
        path={path}
        interactionWidth={16}
        {...(props.data?.inferred
          ? { style: { strokeDasharray: "2 4" } }
          : props.data?.soft && { style: { strokeDasharray: "5 4" } })}
      />
      <path className="plan-edge-tip" d={`M${targetX} ${targetY}${down ? tipDown : tipRight}z`} />
      {props.data?.pinned && (
        <PinMark x={down ? targetX : targetX - 22} y={down ? targetY - 22 : targetY} />
      )}
      {condition && (
        <WayLabel condition={condition} x={sourceX} y={sourceY} side={sourcePosition} />
      )}
      {props.selectable !== false && <InsertHere edge={id} x={middleX} y={middleY} />}
    </g>
  );
});

/** Marks a pinned handoff. For screen readers, the edge's label says the same. */
function PinMark({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`} className="plan-edge-pin">
      <title>The handoff is pinned (P)</title>
      <circle r="8" />
      <path d="M0 1.5v4M-3.5 1.5h7l-1.5-2.5v-3h.5M2 -4h-4M-2 -4v3l-1.5 2.5" />
    </g>
  );
}

// Fixed widths of the labels, so that nothing has to be measured.
const widths: Record<EdgeCondition, number> = { true: 32, false: 36, success: 68, failure: 62 };

/** The label of a branch or jump, next to its start. */
function WayLabel({
  condition,
  x,
  y,
  side,
}: {
  condition: EdgeCondition;
  x: number;
  y: number;
  side: Side;
}) {
  const width = widths[condition];
  const [left, top] = side === Side.Bottom ? [x - width / 2, y + 10] : [x + 10, y - 8];
  return (
    <g transform={`translate(${left} ${top})`} className="plan-edge-label">
      <rect width={width} height="16" rx="8" />
      <text x={width / 2} y="11.5" textAnchor="middle">
        {edgeConditionLabels[condition]}
      </text>
    </g>
  );
}

/**
 * A plus button in the middle of the edge under the pointer. The edge's menu has the same action
 * for the keyboard.
 */
function InsertHere({ edge, x, y }: { edge: string; x: number; y: number }) {
  const { edit } = useBlueprint();
  const past = useEditor((state) => state.run?.past !== undefined);
  if (past) return null;
  const insert = (event: MouseEvent) => {
    event.stopPropagation();
    edit.insertInEdge(edge, { x: event.clientX, y: event.clientY });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer shortcut, also in the menu
    <g transform={`translate(${x} ${y})`} className="plan-edge-insert" onClick={insert}>
      <circle r="10" />
      <path d="M-4 0h8M0-4v8" />
    </g>
  );
}

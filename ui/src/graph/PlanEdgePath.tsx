import { BaseEdge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { type MouseEvent, memo } from "react";
import { useBlueprint, usePage } from "@/blueprint/blueprintContext";
import { useEditor } from "@/blueprint/editor";
import type { WayKind } from "@/blueprint/ways";
import { classes } from "@/components/classes";
import { type PlanEdge, wayLabels } from "./toEdges";

const tip = 8;

/**
 * "The right end waits for the left end." Dashed when it does not wait; in accent on the path of the run. Branches and
 * jumps say what they are, and fade when the run went another way.
 */
export const PlanEdgePath = memo(function PlanEdgePath(props: EdgeProps<PlanEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = props;
  const way = props.data?.way;
  const isTarget = usePage((state) => state.dropEdge === id);
  const [path, middleX, middleY] = getBezierPath({
    sourceX,
    sourceY,
    sourcePosition,
    targetX: targetX - tip + 1,
    targetY,
    targetPosition,
  });
  const look = classes(
    "plan-edge",
    props.data?.onPath && "plan-edge-path",
    props.selected && "plan-edge-selected",
    way && `plan-edge-${way}`,
    props.data?.critical && "plan-edge-critical",
    props.data?.passedBy && "plan-edge-passed",
    isTarget && "plan-edge-target",
  );
  return (
    <g className={look}>
      <BaseEdge
        path={path}
        interactionWidth={16}
        {...(props.data?.soft && { style: { strokeDasharray: "5 4" } })}
      />
      <path className="plan-edge-tip" d={`M${targetX} ${targetY}l${-tip} ${-tip / 2}v${tip}z`} />
      {way && <WayLabel way={way} x={sourceX} y={sourceY} />}
      {props.selectable !== false && <InsertHere edge={id} x={middleX} y={middleY} />}
    </g>
  );
});

// The words are few and known, so that nothing has to be measured.
const widths: Record<WayKind, number> = { true: 32, false: 36, success: 68, failure: 62 };

/** What a branch or jump is, beside where it begins. */
function WayLabel({ way, x, y }: { way: WayKind; x: number; y: number }) {
  const width = widths[way];
  const [left, top] = way === "failure" ? [x - width / 2, y + 10] : [x + 10, y - 8];
  return (
    <g transform={`translate(${left} ${top})`} className="plan-edge-label">
      <rect width={width} height="16" rx="8" />
      <text x={width / 2} y="11.5" textAnchor="middle">
        {wayLabels[way]}
      </text>
    </g>
  );
}

/** The plus in the middle of an edge under the pointer. The keyboard finds the same in the menu of the edge. */
function InsertHere({ edge, x, y }: { edge: string; x: number; y: number }) {
  const { edit } = useBlueprint();
  const past = useEditor((state) => state.run?.past !== undefined);
  if (past) return null;
  const insert = (event: MouseEvent) => {
    event.stopPropagation();
    edit.insertInEdge(edge, { x: event.clientX, y: event.clientY });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer only
    <g transform={`translate(${x} ${y})`} className="plan-edge-insert" onClick={insert}>
      <circle r="10" />
      <path d="M-4 0h8M0-4v8" />
    </g>
  );
}

import { BaseEdge, type EdgeProps, getBezierPath } from "@xyflow/react";
import { type MouseEvent, memo } from "react";
import { useBlueprint } from "@/blueprint/blueprintContext";
import { classes } from "@/components/classes";
import type { PlanEdge } from "./toFlow";

const tip = 8;

/** "The right end waits for the left end." Dashed when it does not wait; in accent on the path of the run. */
export const PlanEdgePath = memo(function PlanEdgePath(props: EdgeProps<PlanEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = props;
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
  );
  return (
    <g className={look}>
      <BaseEdge
        path={path}
        interactionWidth={16}
        {...(props.data?.soft && { style: { strokeDasharray: "5 4" } })}
      />
      <path className="plan-edge-tip" d={`M${targetX} ${targetY}l${-tip} ${-tip / 2}v${tip}z`} />
      <InsertHere edge={id} x={middleX} y={middleY} />
    </g>
  );
});

/** The plus in the middle of an edge under the pointer. The keyboard finds the same in the menu of the edge. */
function InsertHere({ edge, x, y }: { edge: string; x: number; y: number }) {
  const { edit } = useBlueprint();
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

import {
  type ConnectionLineComponentProps,
  EdgeLabelRenderer,
  getBezierPath,
  useViewport,
} from "@xyflow/react";
import type { ReactElement } from "react";
import { useBlueprint } from "@/plan/blueprintContext";
import { connectionsTo, draggedNodes } from "@/plan/connections";
import { conditionOfHandle } from "@/plan/handles";
import { drawnRefusal, refusalText } from "@/plan/reachability";
import type { CardNode } from "./toFlow";

/** The edge being drawn, with the reason next to the pointer if it can't end there. */
export function ConnectionLine(props: ConnectionLineComponentProps<CardNode>): ReactElement {
  const { fromX, fromY, toX, toY, fromPosition, toPosition } = props;
  const reason = useRefusal(props);
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
  });
  return (
    <g>
      <path d={path} className={reason ? "drawn-edge drawn-edge-refused" : "drawn-edge"} />
      {reason !== undefined && (
        <Reason x={toX} y={toY}>
          {reason}
        </Reason>
      )}
    </g>
  );
}

/**
 * Why the node under the pointer can't be the other end; undefined if it can, or if there is none.
 */
function useRefusal({
  fromNode,
  toNode,
  fromHandle,
  toHandle,
}: ConnectionLineComponentProps<CardNode>): string | undefined {
  const { editor, page } = useBlueprint();
  if (!toNode) return undefined;
  const { plan, selection } = editor.getState();
  const forward = fromHandle.type === "source";
  const handle = forward ? fromHandle.id : toHandle?.id;
  const nodes = draggedNodes(fromNode.id, selection, conditionOfHandle(handle));
  if (page.getState().reconnectingEdge === undefined && nodes.length > 1) {
    const as = forward ? "parent" : "child";
    const { connections, skipped } = connectionsTo(plan, nodes, as, toNode.id);
    return connections.length === 0 ? skipped : undefined;
  }
  const refusal = drawnRefusal(plan, page.getState().reconnectingEdge, {
    source: forward ? fromNode.id : toNode.id,
    sourceHandle: handle,
    target: forward ? toNode.id : fromNode.id,
  });
  return refusal && refusalText(refusal, plan);
}

function Reason({ x, y, children }: { x: number; y: number; children: string }): ReactElement {
  const { zoom } = useViewport();
  return (
    <EdgeLabelRenderer>
      <div
        role="status"
        // The label is positioned in plan coordinates; scaling keeps its size at every zoom.
        style={{ transform: `translate(${x}px,${y}px) scale(${1 / zoom}) translate(14px,14px)` }}
        className="drawn-edge-reason absolute z-50 w-max max-w-80 origin-top-left rounded-control bg-overlay px-2 py-1 text-12 text-danger-fg shadow-float"
      >
        {children}
      </div>
    </EdgeLabelRenderer>
  );
}

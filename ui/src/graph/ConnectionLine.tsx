import {
  type ConnectionLineComponentProps,
  EdgeLabelRenderer,
  getBezierPath,
  useViewport,
} from "@xyflow/react";
import type { ReactElement } from "react";
import { useBlueprint } from "@/blueprint/blueprintContext";
import { connectionRefusal, refusalWords } from "./reachability";
import type { CardNode } from "./toFlow";

/** The edge while it is drawn, and beside the pointer why it cannot end there. */
export function ConnectionLine(props: ConnectionLineComponentProps<CardNode>): ReactElement {
  const { fromX, fromY, toX, toY, fromPosition, toPosition, connectionStatus } = props;
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
  });
  const refused = connectionStatus === "invalid";
  return (
    <g>
      <path d={path} className={refused ? "drawn-edge drawn-edge-refused" : "drawn-edge"} />
      {refused && <Reason {...props} />}
    </g>
  );
}

function Reason(props: ConnectionLineComponentProps<CardNode>): ReactElement | null {
  const { fromNode, toNode, fromHandle, toX, toY } = props;
  const { editor } = useBlueprint();
  const { zoom } = useViewport();
  if (!toNode) return null;
  const { plan } = editor.getState();
  const [parent, child] =
    fromHandle.type === "source" ? [fromNode.id, toNode.id] : [toNode.id, fromNode.id];
  const refusal = connectionRefusal(plan, parent, child);
  if (!refusal) return null;
  return (
    <EdgeLabelRenderer>
      <div
        role="status"
        // The label lies in the plan's own space; it keeps its size at every zoom.
        style={{
          transform: `translate(${toX}px,${toY}px) scale(${1 / zoom}) translate(14px,14px)`,
        }}
        className="drawn-edge-reason absolute z-50 w-max max-w-80 origin-top-left rounded-control bg-overlay px-2 py-1 text-12 text-danger-fg shadow-float"
      >
        {refusalWords(refusal, plan)}
      </div>
    </EdgeLabelRenderer>
  );
}

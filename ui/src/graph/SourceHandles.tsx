import { Handle, Position as Side } from "@xyflow/react";
import type { ReactElement } from "react";
import { classes } from "@/components/classes";
import type { EdgeCondition } from "@/plan/conditionalEdges";
import { sourceAnchor } from "@/plan/edgeAnchors";
import { cardSize } from "@/plan/geometry";
import { defaultSourceHandleId } from "@/plan/handles";
import type { CardData } from "./toFlow";

/**
 * The outlets of a card: one for failures on its own side, one for plain edges, and two for the
 * branches of a condition.
 */
export function SourceHandles({ data }: { data: CardData }): ReactElement {
  const isFork = data.node.kind.kind === "condition";
  const side = (condition?: EdgeCondition) => sourceAnchor(cardSize, data.reading, condition).side;
  return (
    <>
      <Handle
        id="failure"
        type="source"
        position={side("failure")}
        title="Drag to the node that runs on failure"
        className="card-handle card-handle-failure"
      />
      {isFork && <BranchHandle condition="true" data={data} isSet={data.hasTrue} />}
      {isFork && <BranchHandle condition="false" data={data} isSet={data.hasFalse} />}
      <Handle
        id={defaultSourceHandleId}
        type="source"
        position={side()}
        className={classes("card-handle", isFork ? "card-handle-hidden" : "card-handle-plain")}
      />
    </>
  );
}

/**
 * One outlet of a condition. Shows its label until an edge leaves from it; then the edge shows it.
 */
function BranchHandle(props: {
  condition: "true" | "false";
  data: CardData;
  isSet: boolean;
}): ReactElement {
  const { condition, data, isSet } = props;
  const touch = sourceAnchor(cardSize, data.reading, condition);
  return (
    <>
      <Handle
        id={condition}
        type="source"
        position={touch.side}
        title={`Drag to the node that runs if ${condition}`}
        className={`card-handle card-handle-branch card-handle-${condition}`}
      />
      {!isSet && (
        <span
          aria-hidden="true"
          style={
            touch.side === Side.Bottom
              ? { top: touch.at.y + 6, left: touch.at.x - 12 }
              : { top: touch.at.y - 8, left: touch.at.x + 6 }
          }
          className={classes(
            "pointer-events-none absolute text-11 leading-4 group-data-[lod=title]/canvas:hidden group-data-[lod=block]/canvas:hidden",
            data.taken === (condition === "true") ? "font-medium text-fg" : "text-faint",
          )}
        >
          {condition}
        </span>
      )}
    </>
  );
}

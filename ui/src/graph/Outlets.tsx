import { Handle, Position as Side } from "@xyflow/react";
import type { ReactElement } from "react";
import { classes } from "@/components/classes";
import { cardSize } from "@/plan/geometry";
import { plainOutlet } from "@/plan/handles";
import { outletOn } from "@/plan/touch";
import type { WayKind } from "@/plan/ways";
import type { CardData } from "./toFlow";

/** Where edges begin: on a side of their own for failures, at the other for what follows, and two for the branches of a condition. */
export function Outlets({ data }: { data: CardData }): ReactElement {
  const isFork = data.node.kind.kind === "condition";
  const side = (way?: WayKind) => outletOn(cardSize, data.reading, way).side;
  return (
    <>
      <Handle
        id="failure"
        type="source"
        position={side("failure")}
        title="On failure, go to another node: drag from here"
        className="card-handle card-handle-failure"
      />
      {isFork && <Branch way="true" data={data} isSet={data.hasTrue} />}
      {isFork && <Branch way="false" data={data} isSet={data.hasFalse} />}
      <Handle
        id={plainOutlet}
        type="source"
        position={side()}
        className={classes("card-handle", isFork ? "card-handle-hidden" : "card-handle-plain")}
      />
    </>
  );
}

/** One outlet of a fork. Until something follows on it, its word stands beside it; then on the edge. */
function Branch(props: { way: "true" | "false"; data: CardData; isSet: boolean }): ReactElement {
  const { way, data, isSet } = props;
  const touch = outletOn(cardSize, data.reading, way);
  return (
    <>
      <Handle
        id={way}
        type="source"
        position={touch.side}
        title={`When ${way}, go to another node: drag from here`}
        className={`card-handle card-handle-branch card-handle-${way}`}
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
            data.taken === (way === "true") ? "font-medium text-fg" : "text-faint",
          )}
        >
          {way}
        </span>
      )}
    </>
  );
}

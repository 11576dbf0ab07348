import { Handle, Position as Side } from "@xyflow/react";
import type { ReactElement } from "react";
import { classes } from "@/components/classes";
import { branchHeights, plainOutlet } from "./handles";
import type { CardData } from "./toFlow";

/** Where edges begin: below for failures, at the right for what follows, and two for the branches of a condition. */
export function Outlets({ data }: { data: CardData }): ReactElement {
  const isFork = data.node.kind.kind === "condition";
  return (
    <>
      <Handle
        id="failure"
        type="source"
        position={Side.Bottom}
        title="On failure, go to another node: drag from here"
        className="card-handle card-handle-failure"
      />
      {isFork && <Branch way="true" data={data} isSet={data.hasTrue} />}
      {isFork && <Branch way="false" data={data} isSet={data.hasFalse} />}
      <Handle
        id={plainOutlet}
        type="source"
        position={Side.Right}
        className={classes("card-handle", isFork ? "card-handle-hidden" : "card-handle-plain")}
      />
    </>
  );
}

/** One outlet of a fork. Until something follows on it, its word stands beside it; then on the edge. */
function Branch(props: { way: "true" | "false"; data: CardData; isSet: boolean }): ReactElement {
  const { way, data, isSet } = props;
  return (
    <>
      <Handle
        id={way}
        type="source"
        position={Side.Right}
        title={`When ${way}, go to another node: drag from here`}
        className={`card-handle card-handle-branch card-handle-${way}`}
      />
      {!isSet && (
        <span
          aria-hidden="true"
          style={{ top: branchHeights[way] - 8 }}
          className={classes(
            "pointer-events-none absolute left-[226px] text-11 leading-4 group-data-[lod=title]/canvas:hidden group-data-[lod=block]/canvas:hidden",
            data.taken === (way === "true") ? "font-medium text-fg" : "text-faint",
          )}
        >
          {way}
        </span>
      )}
    </>
  );
}

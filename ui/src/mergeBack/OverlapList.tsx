import type { ReactElement } from "react";
import type { OverlapView, RunId } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { overlapProofLabels } from "@/attempt/fileDeltaText";
import { displayTitle } from "@/plan/nodeText";

/** Pairs of parallel nodes that changed the same files. */
export function OverlapList({ run }: { run: RunId }): ReactElement | null {
  const { data, error } = useOperation("run_overlaps", { run });
  if (error) return <p className="text-danger-fg">{error.message}</p>;
  if (!data || data.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold text-12">Changed by two parallel nodes</h3>
      <ul aria-label="Changed by two parallel nodes" className="flex flex-col gap-2">
        {data.map((pair) => (
          <Pair key={`${pair.first} ${pair.second} ${pair.proof}`} pair={pair} />
        ))}
      </ul>
    </section>
  );
}

function Pair({ pair }: { pair: OverlapView }): ReactElement {
  return (
    <li className="min-w-0">
      <p dir="auto" className="break-words">
        {displayTitle(pair.firstTitle)} and {displayTitle(pair.secondTitle)}{" "}
        <span className="text-12 text-faint">{overlapProofLabels[pair.proof]}</span>
      </p>
      <ul className="flex flex-col text-12">
        {pair.files.map((file) => (
          <li key={file} dir="auto" className="select-text break-all font-mono">
            {file}
          </li>
        ))}
        {pair.filesLeftOut > 0 && <li className="text-faint">and {pair.filesLeftOut} more</li>}
      </ul>
    </li>
  );
}

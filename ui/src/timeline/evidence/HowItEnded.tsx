import type { ReactElement } from "react";
import type { AttemptEnding } from "@/api/bindings";
import { scrolled } from "@/components/scrolled";
import { OutputsTable } from "../OutputsTable";

/** What an attempt left that did not succeed: exit code or signal, the end of its output, its named outputs. */
export function HowItEnded({ ending }: { ending: AttemptEnding }): ReactElement | null {
  const { exitCode, signal, output, outputs } = ending;
  const process =
    exitCode !== null
      ? `Exit code ${exitCode}`
      : signal !== null
        ? `Ended by signal ${signal}`
        : "";
  if (!process && !output && Object.keys(outputs).length === 0) return null;
  return (
    <section aria-label="How it ended" className="flex flex-col gap-1.5">
      {process && <p className="text-12">{process}</p>}
      {output && (
        <div>
          <h4 className="mb-1 font-medium text-12">End of the output</h4>
          <pre
            {...scrolled}
            className="max-h-60 select-text overflow-auto whitespace-pre-wrap break-words rounded-control border bg-canvas px-2 py-1 text-12"
          >
            {output}
          </pre>
        </div>
      )}
      <OutputsTable outputs={outputs} />
    </section>
  );
}

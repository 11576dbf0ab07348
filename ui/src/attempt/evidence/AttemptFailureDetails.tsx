import type { ReactElement } from "react";
import type { AttemptEnding, Collision } from "@/api/bindings";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { quoteTitle } from "@/components/quotedTitle";
import { OutputsTable } from "../OutputsTable";

/** Details of an unsuccessful attempt: exit code or signal, end of its output, named outputs. */
export function AttemptFailureDetails({ ending }: { ending: AttemptEnding }): ReactElement | null {
  const { exitCode, signal, output, outputs, collision } = ending;
  const process =
    exitCode !== null
      ? `Exit code ${exitCode}`
      : signal !== null
        ? `Terminated by signal ${signal}`
        : "";
  if (!process && !output && !collision && Object.keys(outputs).length === 0) return null;
  return (
    <section aria-label="Failure details" className="flex flex-col gap-1.5">
      {process && <p className="text-12">{process}</p>}
      {collision && <p className="text-12">{describeCollision(collision)}</p>}
      {output && (
        <div>
          <h4 className="mb-1 font-medium text-12">End of the output</h4>
          <pre
            {...keyboardScrollable}
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

function describeCollision({ with: what, beside, lock }: Collision): string {
  const cause = {
    address: () => "Its network address was in use",
    build_directory: () => "The build directory was locked",
    git_index: () => "The git index was locked",
    files: () => `${what.kind === "files" ? what.paths.join(", ") : "Files"} changed`,
  }[what.kind]();
  const others = beside.map(quoteTitle).join(", ");
  return `${cause} while ${others} ${beside.length === 1 ? "was" : "were"} running. If they interfere with each other, add the lock “${lock}” to all of them.`;
}

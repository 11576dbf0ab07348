import { FileDown } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "@/components/Button";
import { ImportFolder } from "./ImportFolder";
import { ImportOutcome } from "./ImportOutcome";
import { useImports } from "./importPlanFiles";
import { useImportPlanFiles } from "./useImportPlanFiles";

/**
 * Imports plan files that are picked here or dropped anywhere on the page, and lists their errors.
 */
export function ImportPane(): ReactElement {
  const { results, busy } = useImports();
  const { pick } = useImportPlanFiles();
  return (
    <div className="flex max-w-190 flex-col gap-4">
      <div className="flex flex-col items-center gap-1 rounded-card border border-line-strong/60 border-dashed px-6 py-8 text-center">
        <FileDown className="mb-1 size-5 text-faint" aria-hidden="true" />
        <p className="font-medium">Drop a plan file anywhere on this page</p>
        <p className="text-12 text-muted">
          YAML, JSON, a Mermaid flowchart, or the task list of another program. A file with errors
          isn't imported.
        </p>
        <Button className="mt-3" busy={busy} onClick={() => void pick()}>
          Choose file
        </Button>
      </div>
      <ImportFolder />
      {results.map((result, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files can have the same name
        <ImportOutcome key={at} result={result} />
      ))}
    </div>
  );
}

import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "@/components/ButtonLink";
import { displayTitle } from "@/plan/nodeText";
import { paths } from "@/shell/paths";
import { type ImportResult, parseFault } from "./importPlanFiles";

/** The result of importing one file: the blueprint and its warnings, or the errors to fix. */
export function ImportOutcome({ result }: { result: ImportResult }): ReactElement {
  if (result.kind === "refused") return <Refused {...result} />;
  const { plan, warnings } = result.imported;
  return (
    <section className="overflow-hidden rounded-card border" aria-label={result.file}>
      <div className="flex items-center gap-2 px-3 py-2">
        <CircleCheck className="size-4 shrink-0 text-state-done" aria-hidden="true" />
        <p className="min-w-0 flex-1 truncate" title={displayTitle(plan.plan.title)}>
          <bdi className="font-medium">{displayTitle(plan.plan.title)}</bdi>
          <span className="text-muted"> imported from {result.file}</span>
        </p>
        <ButtonLink size="small" to={paths.blueprint(plan.plan.id)}>
          Open
        </ButtonLink>
      </div>
      {warnings.length > 0 && (
        <ul className="select-text border-t bg-raised px-3 py-2 text-12 text-muted">
          {warnings.map((warning) => (
            <li key={warning} className="flex items-start gap-2 py-0.5">
              <TriangleAlert
                className="mt-px size-3.5 shrink-0 text-state-waiting"
                aria-label="Warning"
              />
              <span className="min-w-0 break-words">{warning}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Refusal = Extract<ImportResult, { kind: "refused" }>;

function Refused({ file, message, faults }: Refusal): ReactElement {
  return (
    <section role="alert" aria-label={file} className="overflow-hidden rounded-card border">
      <div className="flex items-start gap-2 bg-danger-tint px-3 py-2 text-danger-fg">
        <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <p className="min-w-0 break-words">
          <span className="font-medium">Couldn't import {file}.</span>{" "}
          {faults.length > 0 ? `${importFixHint(faults.length)}, then import it again.` : message}
        </p>
      </div>
      {faults.length > 0 && (
        <ol className="select-text border-t py-1.5 font-mono text-12">
          {faults.map((fault) => (
            <FileError key={fault} file={file} fault={fault} />
          ))}
        </ol>
      )}
    </section>
  );
}

function FileError({ file, fault }: { file: string; fault: string }): ReactElement {
  const { place, sentence } = parseFault(fault);
  return (
    <li className="flex gap-3 px-3 py-0.5">
      {place !== undefined && (
        <span className="shrink-0 text-faint tabular-nums">
          {file}:{place}:
        </span>
      )}
      <span className="min-w-0 whitespace-pre-wrap break-words">{sentence}</span>
    </li>
  );
}

function importFixHint(faults: number): string {
  return faults === 1 ? "Fix this error" : `Fix these ${faults} errors`;
}

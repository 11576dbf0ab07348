import type { ReactElement, ReactNode } from "react";
import type { Plan, PlanContext, Risk } from "@/api/bindings";

/** What may go wrong with a plan, and the facts that its nodes receive. Empty if it has neither. */
export function RisksAndContext({
  plan,
}: {
  plan: Pick<Plan, "context" | "risks">;
}): ReactElement | null {
  const { context = {}, risks = [] } = plan;
  const { toolOutputs = {}, notes = "", artifacts = [] } = context;
  const hasContext =
    notes.trim() !== "" || artifacts.length > 0 || Object.keys(toolOutputs).length > 0;
  if (risks.length === 0 && !hasContext) return null;
  return (
    <div className="flex flex-col gap-3">
      {risks.length > 0 && <Risks risks={risks} />}
      {hasContext && <Context context={{ toolOutputs, notes, artifacts }} />}
    </div>
  );
}

function Risks({ risks }: { risks: readonly Risk[] }): ReactElement {
  return (
    <Facts title="Risks">
      <ul className="flex list-disc flex-col gap-1 ps-4">
        {risks.map(({ text, mitigation }) => (
          <li key={`${text} ${mitigation ?? ""}`} dir="auto" className="break-words">
            {text}
            {mitigation && (
              <p dir="auto" className="text-muted">
                {mitigation}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Facts>
  );
}

function Context({ context }: { context: Required<PlanContext> }): ReactElement {
  const { notes, toolOutputs, artifacts } = context;
  return (
    <Facts title="Context">
      {notes.trim() !== "" && (
        <p dir="auto" className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words">
          {notes}
        </p>
      )}
      <ul className="flex flex-col gap-0.5">
        {Object.entries(toolOutputs).map(([key, output]) => (
          <li key={key} dir="auto" className="break-words">
            <code>{key}</code>{" "}
            <span className="text-muted">
              {output?.tool}: {output?.operation}
            </span>
          </li>
        ))}
        {artifacts.map(({ name, path }) => (
          <li key={`${name} ${path ?? ""}`} dir="auto" className="break-words">
            {name} {path && <span className="font-mono text-muted">{path}</span>}
          </li>
        ))}
      </ul>
    </Facts>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className="flex select-text flex-col gap-1 text-12">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  );
}

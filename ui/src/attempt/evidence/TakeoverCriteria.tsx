import type { ReactElement } from "react";

/** What came of the criteria when another executor took the run over: then and now, a line each. */
export function TakeoverCriteria({ lines }: { lines: readonly string[] }): ReactElement | null {
  if (lines.length === 0) return null;
  return (
    <section className="mb-3">
      <h4 className="mb-1 font-medium text-12">After the takeover</h4>
      <ul aria-label="Criteria after the takeover" className="flex flex-col gap-1 text-12">
        {lines.map((line) => (
          <li key={line} dir="auto" className="select-text break-words">
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { ReactElement } from "react";

/** The criteria that were checked again at a takeover, with their results before and after. */
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

import type { ReactElement, ReactNode } from "react";

/** A framed list of name-value rows. */
export function FactList({ children }: { children: ReactNode }): ReactElement {
  return <dl className="divide-y divide-line overflow-hidden rounded-card border">{children}</dl>;
}

/** One row of a `FactList`. */
export function FactRow({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div className="flex min-h-9 items-center gap-4 px-3 py-1">
      <dt className="w-40 shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-1 select-text items-center gap-2">{children}</dd>
    </div>
  );
}

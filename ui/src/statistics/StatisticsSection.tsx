import { type ReactElement, type ReactNode, useId } from "react";

/** A section of the page with a heading. */
export function StatisticsSection({
  title,
  note,
  children,
}: {
  title: string;
  /** Shown after the title in a faint color. */
  note?: ReactNode;
  children: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline gap-2">
        <h2 id={id} className="font-semibold text-13">
          {title}
        </h2>
        {note && <span className="text-12 text-faint tabular-nums">{note}</span>}
      </div>
      {children}
    </section>
  );
}

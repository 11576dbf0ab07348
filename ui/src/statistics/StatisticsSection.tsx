import { type ReactElement, type ReactNode, useId } from "react";

/** A part of the page below its own heading. */
export function StatisticsSection({
  title,
  note,
  children,
}: {
  title: string;
  /** Beside the title, fainter. */
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

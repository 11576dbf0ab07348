import type { ReactElement, ReactNode } from "react";

/** A group of fields with a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <section className="flex flex-col gap-3 border-t px-4 pt-3 pb-4">
      <h3 className="font-semibold text-12">{title}</h3>
      {children}
    </section>
  );
}

import { ChevronRight } from "lucide-react";
import { type ReactElement, type ReactNode, useId, useState } from "react";
import { classes } from "@/components/classes";

export interface CollapsibleSectionProps {
  title: string;
  /** The settings inside, shown in the header while collapsed. Empty if all have their defaults. */
  summary: string;
  /** Whether it is open until the person decides. Defaults to whether `summary` is set. */
  open?: boolean;
  children: ReactNode;
}

/** A group of rarely used fields. Collapsed by default unless `summary` is set. */
export function CollapsibleSection({
  title,
  summary,
  open: initiallyOpen = summary !== "",
  children,
}: CollapsibleSectionProps): ReactElement {
  const id = useId();
  const [chosen, choose] = useState<boolean>();
  const open = chosen ?? initiallyOpen;

  return (
    <section className="flex flex-col border-t">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => choose(!open)}
          className="flex w-full items-center gap-1.5 px-4 py-2 text-left focus-visible:-outline-offset-2 hover:bg-hover"
        >
          <ChevronRight
            aria-hidden="true"
            className={classes(
              "size-3.5 shrink-0 text-faint transition-transform motion-reduce:transition-none",
              open && "rotate-90",
            )}
          />
          <span className="shrink-0 font-semibold text-12">{title}</span>
          {!open && (
            <span dir="auto" className="min-w-0 truncate text-12 text-faint">
              {summary || "Default"}
            </span>
          )}
        </button>
      </h3>
      <div id={id} hidden={!open} className="flex flex-col gap-3 px-4 pt-1 pb-4 [&[hidden]]:hidden">
        {open && children}
      </div>
    </section>
  );
}

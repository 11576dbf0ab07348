import { ChevronRight } from "lucide-react";
import { type ReactElement, type ReactNode, useId, useState } from "react";
import { classes } from "@/components/classes";

export interface CollapsibleSectionProps {
  title: string;
  /** What is set inside, in a few words; stands in the head while folded. Empty: nothing is. */
  summary: string;
  children: ReactNode;
}

/** A group of fields that most nodes leave alone: folded until a person opens it or something in it is set. */
export function CollapsibleSection({
  title,
  summary,
  children,
}: CollapsibleSectionProps): ReactElement {
  const id = useId();
  const [chosen, choose] = useState<boolean>();
  const open = chosen ?? summary !== "";

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
            <span className="min-w-0 truncate text-12 text-faint">{summary || "As usual"}</span>
          )}
        </button>
      </h3>
      <div id={id} hidden={!open} className="flex flex-col gap-3 px-4 pt-1 pb-4 [&[hidden]]:hidden">
        {open && children}
      </div>
    </section>
  );
}

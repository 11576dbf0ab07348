import { ChevronRight } from "lucide-react";
import { type ReactElement, type ReactNode, useId, useState } from "react";
import { classes } from "@/components/classes";
import { getAppStateValue, setAppStateValue } from "@/shell/appState";

export interface CollapsibleSectionProps {
  title: string;
  /** The settings inside, shown in the header while collapsed. Empty if all have their defaults. */
  summary: string;
  /** Whether it opens by itself. Defaults to whether `summary` is set. */
  open?: boolean;
  /** The name under which the window remembers that a person opened it. */
  remember?: string;
  /** Opens it, even if a person has closed it, because a field inside is about to be focused. */
  reveal?: boolean;
  children: ReactNode;
}

/** A group of rarely used fields. Collapsed by default unless `summary` is set. */
export function CollapsibleSection({
  title,
  summary,
  open: opens = summary !== "",
  remember,
  reveal = false,
  children,
}: CollapsibleSectionProps): ReactElement {
  const id = useId();
  const [open, toggle] = useOpen(opens, remember, reveal);

  return (
    <section className="flex flex-col border-t">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={toggle}
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

/**
 * Opens when `opens` becomes true. It doesn't close when `opens` becomes false, because the focus
 * may be in the field that was set back to its default.
 */
function useOpen(
  opens: boolean,
  remember: string | undefined,
  reveal: boolean,
): [boolean, () => void] {
  const key = remember && `section.${remember}`;
  const [open, setOpen] = useState(opens || (!!key && getAppStateValue(key) === true));
  const [before, setBefore] = useState(opens);
  if (opens !== before) {
    setBefore(opens);
    if (opens) setOpen(true);
  }
  if (reveal && !open) setOpen(true);
  return [
    open,
    () => {
      setOpen(!open);
      if (key) setAppStateValue(key, !open);
    },
  ];
}

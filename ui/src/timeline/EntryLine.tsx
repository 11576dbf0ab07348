import { ChevronRight } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { classes } from "@/components/classes";

export interface EntryLineProps {
  open: boolean;
  onToggle: () => void;
  verb: string;
  /** What the verb acts on, such as a path or a command. */
  object?: string;
  /** The whole object, shown on hover. */
  objectTitle?: string;
  /** The object is prose and not set in monospace. */
  prose?: boolean;
  /** Size, time and result, aligned right. */
  marks?: ReactNode;
}

/**
 * The one-line summary that expands an entry. Not a tab stop, because Enter on the entry does the
 * same.
 */
export function EntryLine(props: EntryLineProps): ReactElement {
  const { open, onToggle, verb, object, objectTitle, prose = false, marks } = props;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-expanded={open}
      onClick={onToggle}
      className="group/line flex h-5 w-full min-w-0 items-center gap-2 text-left"
    >
      <span className="shrink-0 font-medium">{verb}</span>
      {object && (
        <span
          dir="auto"
          title={objectTitle ?? object}
          className={classes("min-w-0 truncate text-muted", !prose && "font-mono text-12")}
        >
          {object}
        </span>
      )}
      <ChevronRight
        aria-hidden="true"
        className={classes(
          "size-3.5 shrink-0 text-faint transition-transform",
          open ? "rotate-90" : "opacity-0 group-hover/line:opacity-100",
        )}
      />
      <span className="ml-auto flex shrink-0 items-center gap-2">{marks}</span>
    </button>
  );
}

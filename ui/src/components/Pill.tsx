import { X } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { classes } from "./classes";

const tones = {
  neutral: "bg-hover text-muted",
  accent: "bg-accent-tint text-accent-fg",
  danger: "bg-danger-tint text-danger-fg",
} as const;

/**
 * A short label next to an item: a version, "Draft", "Approved". For the states of nodes and runs
 * use StateLabel and RunStateLabel.
 */
export function Pill({
  tone = "neutral",
  children,
}: {
  tone?: keyof typeof tones;
  children: ReactNode;
}): ReactElement {
  return (
    <span
      className={classes(
        "inline-flex h-5 shrink-0 items-center gap-1 whitespace-nowrap rounded-full px-2 font-medium text-12 tabular-nums",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

/** A tag set by a person. Truncated at 160 px, with the full text on hover. */
export function Tag({ name, onRemove }: { name: string; onRemove?: () => void }): ReactElement {
  return (
    <span className="inline-flex h-5 min-w-0 max-w-40 items-center gap-1 rounded-small border px-1.5 text-12 text-muted">
      <span dir="auto" className="truncate" title={name}>
        {name}
      </span>
      {onRemove && (
        <button
          type="button"
          aria-label={`Remove tag ${name}`}
          onClick={onRemove}
          className="-mr-1 rounded-small hover:text-fg"
        >
          <X className="size-3" aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

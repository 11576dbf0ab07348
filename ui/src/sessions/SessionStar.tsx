import { Star } from "lucide-react";
import type { ReactElement } from "react";
import { classes } from "@/components/classes";
import { useEnrichment, useEnrichmentChange } from "@/shell/enrichments";

/**
 * Stars or unstars a session. In a list, an empty star is shown only on the hovered or selected
 * row.
 */
export function SessionStar({
  id,
  title,
  inList = false,
}: {
  id: string;
  title: string;
  inList?: boolean;
}): ReactElement {
  const { enrichment, read } = useEnrichment("session", id);
  const change = useEnrichmentChange();
  const { starred } = enrichment;
  return (
    <button
      type="button"
      // In a list, the grid has the focus and handles the shortcut for starring.
      tabIndex={inList ? -1 : 0}
      disabled={!read}
      aria-label={`Star ${title}`}
      aria-pressed={starred}
      title={starred ? "Remove star" : "Star"}
      onMouseDown={(event) => inList && event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        void change("session", id, { starred: !starred });
      }}
      className={classes(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-control hover:bg-active",
        starred ? "text-accent-fg" : "text-faint",
        inList && !starred && "opacity-0 group-hover:opacity-100 group-aria-selected:opacity-100",
      )}
    >
      <Star className={classes("size-3.5", starred && "fill-current")} aria-hidden="true" />
    </button>
  );
}

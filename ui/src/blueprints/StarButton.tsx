import { Star } from "lucide-react";
import type { ReactElement } from "react";
import type { PlanSummary } from "@/api/bindings";
import { classes } from "@/components/classes";
import { displayTitle } from "@/plan/nodeText";
import { useListContext } from "./listContext";

/**
 * Stars or unstars a blueprint. Without a star it shows only on hover or focus, unless `always`.
 */
export function StarButton({
  plan,
  always = false,
}: {
  plan: PlanSummary;
  always?: boolean;
}): ReactElement {
  const { actions, starred } = useListContext();
  const isStarred = starred.has(plan.id);
  return (
    <button
      type="button"
      // The grid holds the focus, and its key S does the same.
      tabIndex={-1}
      aria-label={`Star ${displayTitle(plan.title)}`}
      aria-pressed={isStarred}
      title={isStarred ? "Remove star" : "Star"}
      // Keeps the focus in the list, so its keys keep working.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        actions.star(plan, !isStarred);
      }}
      className={classes(
        "-ml-1 inline-flex size-6 shrink-0 items-center justify-center rounded-control align-middle hover:bg-active",
        isStarred ? "text-accent-fg" : "text-faint",
        !isStarred &&
          !always &&
          "opacity-0 focus-visible:opacity-100 group-hover:opacity-100 group-aria-selected:opacity-100",
      )}
    >
      <Star className={classes("size-3.5", isStarred && "fill-current")} aria-hidden="true" />
    </button>
  );
}

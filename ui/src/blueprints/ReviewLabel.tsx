import type { ReactElement } from "react";
import type { ReviewState } from "@/api/bindings";
import { classes } from "@/components/classes";
import { reviewLabels } from "@/components/reviewLabels";

/** The review state of a plan. "Approved" is the least prominent. */
export function ReviewLabel({ review }: { review: ReviewState }): ReactElement {
  const quiet = review === "approved";
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap text-12 text-muted">
      <span
        aria-hidden="true"
        className={classes(
          "size-1.5 forced-color-adjust-none rounded-full",
          quiet ? "bg-accent" : "border border-line-strong",
        )}
      />
      {reviewLabels[review]}
    </span>
  );
}

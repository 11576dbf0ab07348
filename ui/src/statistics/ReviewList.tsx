import type { ReactElement } from "react";
import type { PlanTotals, ReviewState } from "@/api/bindings";
import { reviewLabels } from "@/components/reviewLabels";

const reviews: [keyof PlanTotals["reviews"], ReviewState][] = [
  ["draft", "draft"],
  ["proposed", "proposed"],
  ["approved", "approved"],
  ["rejected", "rejected"],
  ["needsReview", "needs_review"],
  ["cancelled", "cancelled"],
];

/** The number of blueprints per review state, regardless of the range. */
export function ReviewList({ plans }: { plans: PlanTotals }): ReactElement {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 pt-1">
      {reviews
        .filter(([key]) => plans.reviews[key] > 0)
        .map(([key, state]) => (
          <div key={key} className="flex items-baseline gap-1.5">
            <dt className="text-12 text-muted">{reviewLabels[state]}</dt>
            <dd className="font-medium tabular-nums">{plans.reviews[key]}</dd>
          </div>
        ))}
      <div className="flex items-baseline gap-1.5">
        <dt className="text-12 text-muted">Median nodes per blueprint</dt>
        <dd className="font-medium tabular-nums">{plans.medianNodes ?? "–"}</dd>
      </div>
    </dl>
  );
}

import type { ReactElement } from "react";
import { Skeleton } from "@/components/Skeleton";

const tiles = ["runs", "completed", "time", "cost", "tokens", "blueprints"];
const heights = [2, 5, 3, 6, 4, 7, 5, 3, 6, 8, 4, 5];

/** Placeholder while the statistics are loading. */
export function StatisticsSkeleton(): ReactElement {
  return (
    <div role="status" aria-label="Loading statistics" className="flex flex-col gap-6">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(--spacing(37),1fr))] gap-px overflow-hidden rounded-card border bg-line">
        {tiles.map((tile) => (
          <div key={tile} className="bg-surface px-4 py-3">
            <Skeleton width={56} />
            <Skeleton width={88} />
          </div>
        ))}
      </div>
      <div className="flex h-32 items-end gap-1 border-b">
        {heights.map((height, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a column
            key={at}
            style={{ height: `${height * 10}%` }}
            className="flex-1 bg-active"
          />
        ))}
      </div>
    </div>
  );
}

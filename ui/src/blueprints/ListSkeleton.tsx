import type { ReactElement } from "react";
import { Skeleton } from "@/components/Skeleton";

const widths = [220, 160, 280, 190, 240];

/** Holds the place of the list while it is being read. */
export function ListSkeleton(): ReactElement {
  return (
    <div role="status" aria-label="Reading the blueprints" className="pt-7">
      {widths.map((width) => (
        <div key={width} className="flex h-7 items-center border-b px-4">
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  );
}

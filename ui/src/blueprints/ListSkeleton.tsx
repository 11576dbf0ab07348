import type { ReactElement } from "react";
import { Skeleton } from "@/components/Skeleton";

const widths = [220, 160, 280, 190, 240];

/** The placeholder while the list loads. */
export function ListSkeleton(): ReactElement {
  return (
    <div role="status" aria-label="Loading blueprints" className="pt-7">
      {widths.map((width) => (
        <div key={width} className="flex h-7 items-center border-b px-4">
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  );
}

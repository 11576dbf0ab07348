import type { ReactElement } from "react";
import { Skeleton } from "@/components/Skeleton";

/** Placeholder while the Inbox is loading. */
export function InboxSkeleton(): ReactElement {
  return (
    <div
      role="status"
      aria-label="Loading Inbox"
      className="mx-auto flex w-full max-w-215 flex-col gap-4 px-7 py-8"
    >
      {[320, 240, 280].map((width) => (
        <div key={width} className="flex flex-col gap-1.5">
          <Skeleton width={width} />
          <Skeleton width={140} />
        </div>
      ))}
    </div>
  );
}

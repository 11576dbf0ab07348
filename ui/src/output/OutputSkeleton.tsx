import { type ReactElement, useEffect, useState } from "react";
import { Skeleton } from "@/components/Skeleton";

/** Reading shorter than this shows nothing new, so that the window doesn't flicker. */
const delayMs = 150;

const widths = [62, 48, 71, 34, 55, 80, 41, 66, 29, 58, 74, 38, 52, 69, 45, 60, 33, 77, 50, 64];

/** Stands for rows that are being read, above those that were shown before. */
export function OutputSkeleton({ isLoading }: { isLoading: boolean }): ReactElement | null {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLoading) return undefined;
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [isLoading]);
  if (!isLoading || !isShown) return null;
  return (
    <div className="absolute inset-0 z-2 overflow-hidden bg-canvas px-4 py-1">
      <span role="status" className="sr-only">
        Loading output…
      </span>
      {widths.map((width) => (
        <Skeleton key={width} width={`${width}%`} />
      ))}
    </div>
  );
}

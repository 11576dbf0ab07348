import { History } from "lucide-react";
import type { ReactElement } from "react";
import { useListContext } from "./listContext";

/** Marks the blueprint that was opened last. Renders nothing for the others. */
export function LastOpenedIcon({ plan }: { plan: string }): ReactElement | null {
  const { lastOpened } = useListContext();
  if (plan !== lastOpened) return null;
  return (
    <span title="Last opened" className="shrink-0 text-faint">
      <History aria-hidden="true" className="size-3.5" />
      <span className="sr-only">Last opened</span>
    </span>
  );
}

import type { ReactElement } from "react";
import { useList } from "./listContext";

/** Marks the blueprint that the person looked at last; nothing beside the others. */
export function LastOpened({ plan }: { plan: string }): ReactElement | null {
  const { lastOpened } = useList();
  if (plan !== lastOpened) return null;
  return <span className="shrink-0 whitespace-nowrap text-11 text-faint">last opened</span>;
}

import { useCallback } from "react";
import { type Blueprint, useBlueprint } from "@/plan/blueprintContext";
import { returnToNode } from "@/plan/sidePlace";

/** Shows the latest run again, as it is now. */
export function leavePast({ editor, page }: Blueprint): void {
  const { runId, view, showRun, lookBack } = editor.getState();
  // What leads through time goes, and with it the focus that it may have.
  if (document.activeElement?.closest("[data-past]")) returnToNode(page.getState().canvas);
  page.setState({ lookingBack: false });
  lookBack(undefined);
  const latest = view.lastRun?.id;
  if (latest !== undefined && latest !== runId) showRun(latest);
}

export function useLeavePast(): () => void {
  const blueprint = useBlueprint();
  return useCallback(() => leavePast(blueprint), [blueprint]);
}

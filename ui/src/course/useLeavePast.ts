import { useCallback } from "react";
import { type Blueprint, useBlueprint } from "@/blueprint/blueprintContext";

/** Shows the latest run again, as it is now. */
export function leavePast({ editor, page }: Blueprint): void {
  const { runId, view, showRun, lookBack } = editor.getState();
  page.setState({ lookingBack: false });
  lookBack(undefined);
  const latest = view.lastRun?.id;
  if (latest !== undefined && latest !== runId) showRun(latest);
}

export function useLeavePast(): () => void {
  const blueprint = useBlueprint();
  return useCallback(() => leavePast(blueprint), [blueprint]);
}

import { useCallback } from "react";
import { type Blueprint, useBlueprint } from "@/plan/blueprintContext";
import { focusSelectedNode } from "@/plan/inspectorFocus";

/** Shows the latest run again, as it is now. */
export function exitPlayback({ editor, page }: Blueprint): void {
  const { runId, view, showRun, showPastMoment } = editor.getState();
  // What leads through time goes, and with it the focus that it may have.
  if (document.activeElement?.closest("[data-past]")) focusSelectedNode(page.getState().canvas);
  page.setState({ playbackOpen: false });
  showPastMoment(undefined);
  const latest = view.lastRun?.id;
  if (latest !== undefined && latest !== runId) showRun(latest);
}

export function useExitPlayback(): () => void {
  const blueprint = useBlueprint();
  return useCallback(() => exitPlayback(blueprint), [blueprint]);
}

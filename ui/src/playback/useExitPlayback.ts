import { useCallback } from "react";
import { type Blueprint, useBlueprint } from "@/plan/blueprintContext";
import { focusSelectedNode } from "@/plan/inspectorFocus";

/** Leaves the replay and shows the latest run in its current state. */
export function exitPlayback({ editor, page }: Blueprint): void {
  const { runId, view, showRun, showPastMoment } = editor.getState();
  // The playback controls are removed; move the focus if it is on them.
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

import { useEffect, useRef } from "react";
import { useOperation } from "@/api/queries";
import { useBlueprint } from "./blueprintContext";
import { useEditor } from "./editor";

/**
 * Reads the chosen run and keeps it current. Whoever looks at the latest run goes on to the next one that begins. Draws
 * nothing, and is a component of its own so that news of the run are drawn only by those who ask the editor for them.
 */
export function ShownRun(): null {
  const { editor } = useBlueprint();
  const runId = useEditor((state) => state.runId);
  const latest = useEditor((state) => state.view.lastRun?.id);
  const lastLatest = useRef(latest);
  const { data } = useOperation("run_get", { run: runId ?? "" }, { enabled: runId !== undefined });

  useEffect(() => {
    const followed = editor.getState().runId === lastLatest.current;
    if (latest !== lastLatest.current && latest !== undefined && followed)
      editor.getState().showRun(latest);
    lastLatest.current = latest;
  }, [editor, latest]);

  useEffect(() => {
    if (data && data.summary.id === runId) editor.getState().showRun(runId, data);
  }, [editor, runId, data]);
  return null;
}

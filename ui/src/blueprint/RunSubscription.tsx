import { CircleAlert } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { useRun } from "@/api/useRun";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { toSentence } from "@/components/toSentence";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";

/**
 * Loads the shown run and keeps it current. If the latest run is shown, it switches to a newer one
 * when that starts. Renders only an error if the run can't be loaded, since the graph would look as
 * if nothing had run. It is a separate component so that run events rerender only components that
 * select from the editor.
 */
export function RunSubscription(): ReactElement | null {
  const { editor } = useBlueprint();
  const runId = useEditor((state) => state.runId);
  const latest = useEditor((state) => state.view.lastRun?.id);
  const lastLatest = useRef(latest);
  const read = useRun(runId);
  const { data } = read;

  useEffect(() => {
    const followed = editor.getState().runId === lastLatest.current;
    if (latest !== lastLatest.current && latest !== undefined && followed)
      editor.getState().showRun(latest);
    lastLatest.current = latest;
  }, [editor, latest]);

  useEffect(() => {
    if (data && data.summary.id === runId) editor.getState().showRun(runId, data);
  }, [editor, runId, data]);
  if (data !== undefined || read.error === null) return null;
  return (
    <Banner
      tone="danger"
      icon={<CircleAlert />}
      actions={
        <Button size="small" busy={read.isFetching} onClick={() => void read.refetch()}>
          Try again
        </Button>
      }
    >
      Couldn't load the run. The blueprint is shown without it. {toSentence(read.error.message)}
    </Banner>
  );
}

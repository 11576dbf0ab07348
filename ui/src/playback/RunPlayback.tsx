import { type ReactElement, useEffect } from "react";
import type { RunView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Skeleton } from "@/components/Skeleton";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { useStateHistory } from "@/plan/useStateHistory";
import { runAtMoment } from "@/run/runAtMoment";
import { PlaybackBar } from "./PlaybackBar";
import { useExitPlayback } from "./useExitPlayback";
import { usePastCommands } from "./usePastCommands";

/** The timeline below the blueprint, during a replay of the run. */
export function RunPlayback(): ReactElement | null {
  const wanted = usePage((state) => state.playbackOpen);
  const liveRun = useEditor((state) => state.liveRun);
  return wanted && liveRun ? <RunPlaybackBar key={liveRun.summary.id} run={liveRun} /> : null;
}

function RunPlaybackBar({ run }: { run: RunView }): ReactElement {
  const { editor } = useBlueprint();
  const { stateHistory, error, retry } = useStateHistory();
  const past = useEditor((state) => state.run?.past);
  const exit = useExitPlayback();
  usePastCommands();
  const started = past !== undefined;
  const last = stateHistory.moments.length - 1;

  // Starts at the latest moment, so that stepping back goes to the one before it.
  useEffect(() => {
    if (!started && last >= 0)
      editor.getState().showPastMoment(runAtMoment(run, stateHistory, last));
  }, [editor, started, last, run, stateHistory]);
  useEffect(() => () => editor.getState().showPastMoment(undefined), [editor]);

  if (past) {
    return (
      <PlaybackBar
        stateHistory={stateHistory}
        at={past.index}
        onSeek={(index) => editor.getState().showPastMoment(runAtMoment(run, stateHistory, index))}
        onLeave={exit}
      />
    );
  }
  return (
    <div className="flex h-20 shrink-0 items-center gap-3 border-t bg-surface px-4">
      {error ? (
        <>
          <p role="alert" className="min-w-0 flex-1 text-danger-fg">
            Couldn't load the run's history. {error.message}
          </p>
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </>
      ) : (
        <div role="status" aria-label="Loading history" className="flex-1">
          <Skeleton width="60%" />
        </div>
      )}
      <Button size="small" kind="ghost" onClick={exit}>
        Back to now
      </Button>
    </div>
  );
}

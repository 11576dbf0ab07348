import { type ReactElement, useEffect } from "react";
import type { RunView } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Skeleton } from "@/components/Skeleton";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { useCourse } from "@/plan/useCourse";
import { runAt } from "@/run/pastRun";
import { TimeBar } from "./TimeBar";
import { useLeavePast } from "./useLeavePast";
import { usePastOffer } from "./usePastOffer";

/** The line of time below the plan, while earlier moments of the run are looked at. */
export function LookBack(): ReactElement | null {
  const wanted = usePage((state) => state.lookingBack);
  const live = useEditor((state) => state.live);
  return wanted && live ? <OfRun key={live.summary.id} run={live} /> : null;
}

function OfRun({ run }: { run: RunView }): ReactElement {
  const { editor } = useBlueprint();
  const { course, error, retry } = useCourse();
  const past = useEditor((state) => state.run?.past);
  const leave = useLeavePast();
  usePastOffer();
  const begun = past !== undefined;
  const last = course.moments.length - 1;

  // It begins where the run is, so that the first step back is one step.
  useEffect(() => {
    if (!begun && last >= 0) editor.getState().lookBack(runAt(run, course, last));
  }, [editor, begun, last, run, course]);
  useEffect(() => () => editor.getState().lookBack(undefined), [editor]);

  if (past) {
    return (
      <TimeBar
        course={course}
        at={past.index}
        onSeek={(index) => editor.getState().lookBack(runAt(run, course, index))}
        onLeave={leave}
      />
    );
  }
  return (
    <div className="flex h-20 shrink-0 items-center gap-3 border-t bg-surface px-4">
      {error ? (
        <>
          <p role="alert" className="min-w-0 flex-1 text-danger-fg">
            The course of the run could not be read. {error.message}
          </p>
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </>
      ) : (
        <div role="status" aria-label="Reading the course of the run" className="flex-1">
          <Skeleton width="60%" />
        </div>
      )}
      <Button size="small" kind="ghost" onClick={leave}>
        Back to now
      </Button>
    </div>
  );
}

import { type ReactElement, useEffect, useRef, useState } from "react";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { runChangeAnnouncement } from "@/plan/runStatus";
import type { ShownRun } from "@/run/runAtMoment";

const announcementIntervalMs = 1_500;

/** Tells screen readers what acts did, what somebody else changed, and how the run goes, at most every 1.5 seconds. */
export function LiveRegion(): ReactElement {
  const announcement = usePage((state) => state.announcement);
  const externalChange = useEditor((state) => state.externalChange);
  const progress = useRunAnnouncement();
  return (
    <div className="sr-only">
      <p role="status" aria-live="polite">
        {announcement}
      </p>
      <p role="status" aria-live="polite">
        {externalChange}
      </p>
      <p role="status" aria-live="polite">
        {progress}
      </p>
    </div>
  );
}

function useRunAnnouncement(): string {
  const { editor } = useBlueprint();
  const [words, setWords] = useState("");
  const told = useRef<ShownRun>(undefined);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    told.current = editor.getState().run;
    const tell = () => {
      timer = undefined;
      const { run } = editor.getState();
      // Going to and fro in the past is no news.
      if (run && !run.past && !told.current?.past)
        setWords((before) => runChangeAnnouncement(told.current, run) || before);
      told.current = run;
    };
    const leave = editor.subscribe((now, before) => {
      if (now.run !== before.run) timer ??= setTimeout(tell, announcementIntervalMs);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [editor]);

  return words;
}

import { type ReactElement, useEffect, useRef, useState } from "react";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { runChangeAnnouncement } from "@/plan/runStatus";
import type { ShownRun } from "@/run/runAtMoment";

const announcementIntervalMs = 1_500;

/**
 * Announces results of actions, external changes and run progress to screen readers. Progress at
 * most every 1.5 s.
 */
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
  const [text, setText] = useState("");
  const announced = useRef<ShownRun>(undefined);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    announced.current = editor.getState().run;
    const announce = () => {
      timer = undefined;
      const { run } = editor.getState();
      // Moving through a replay is not announced.
      if (run && !run.past && !announced.current?.past)
        setText((before) => runChangeAnnouncement(announced.current, run) || before);
      announced.current = run;
    };
    const unsubscribe = editor.subscribe((now, before) => {
      if (now.run !== before.run) timer ??= setTimeout(announce, announcementIntervalMs);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [editor]);

  return text;
}

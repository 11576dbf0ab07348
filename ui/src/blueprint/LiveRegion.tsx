import { type ReactElement, useEffect, useRef, useState } from "react";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { changeWords } from "@/plan/runFacts";
import type { ShownRun } from "@/run/pastRun";

const pause = 1_500;

/** Tells screen readers what acts did, what somebody else changed, and how the run goes, at most every 1.5 seconds. */
export function LiveRegion(): ReactElement {
  const announcement = usePage((state) => state.announcement);
  const elsewhere = useEditor((state) => state.elsewhere);
  const progress = useRunWords();
  return (
    <div className="sr-only">
      <p role="status" aria-live="polite">
        {announcement}
      </p>
      <p role="status" aria-live="polite">
        {elsewhere}
      </p>
      <p role="status" aria-live="polite">
        {progress}
      </p>
    </div>
  );
}

function useRunWords(): string {
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
        setWords((before) => changeWords(told.current, run) || before);
      told.current = run;
    };
    const leave = editor.subscribe((now, before) => {
      if (now.run !== before.run) timer ??= setTimeout(tell, pause);
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [editor]);

  return words;
}

import { lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { Arrival, GivenFile, LeavingQuestion } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import { showToast } from "@/components/toasts";
import { useLeavingSetting } from "@/shell/leavingSetting";
import { pathOf } from "./places";

const LeavingDialog = lazy(async () => ({
  default: (await import("./LeavingDialog")).LeavingDialog,
}));
const OpenedFileDialog = lazy(async () => ({
  default: (await import("./OpenedFileDialog")).OpenedFileDialog,
}));

/**
 * What only a window of its own has: links and files that come from outside, and the question what becomes of runs when
 * the window goes. Nothing in a browser.
 */
export function DesktopHabits(): ReactElement | null {
  const { desktop } = useBackend();
  const [files, setFiles] = useState<GivenFile[]>([]);
  const [question, setQuestion] = useState<LeavingQuestion>();
  const [habit] = useLeavingSetting();
  const navigate = useNavigate();

  useEffect(
    () =>
      desktop?.arrivals((arrival: Arrival) => {
        switch (arrival.kind) {
          case "place":
            return void navigate(pathOf(arrival.place));
          case "file":
            return setFiles((before) => [...before, arrival.file]);
          case "unknown":
            return showToast({
              kind: "error",
              title: `“${arrival.what}” cannot be opened`,
              detail: arrival.reason,
            });
        }
      }),
    [desktop, navigate],
  );

  useEffect(
    () =>
      desktop?.leaving((asked) => {
        // Who says "quit" is told what happens; who closes the window may have answered for good.
        if (asked.wish === "close" && habit !== "ask") void desktop.decideLeaving(habit);
        else setQuestion(asked);
      }),
    [desktop, habit],
  );

  const [file] = files;
  return (
    <Suspense fallback={null}>
      {file && (
        <OpenedFileDialog
          key={file.name}
          file={file}
          onClose={() => setFiles((before) => before.slice(1))}
        />
      )}
      {question && desktop && (
        <LeavingDialog
          question={question}
          onDecide={(decision) => {
            setQuestion(undefined);
            void desktop.decideLeaving(decision);
          }}
        />
      )}
    </Suspense>
  );
}

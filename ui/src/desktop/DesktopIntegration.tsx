import { lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { CloseRequest, OpenRequest, PickedFile } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";
import { showToast } from "@/components/toasts";
import { useCloseBehavior } from "@/shell/closeBehavior";
import { locationPath } from "./locationPath";

const CloseWindowDialog = lazy(async () => ({
  default: (await import("./CloseWindowDialog")).CloseWindowDialog,
}));
const OpenedFileDialog = lazy(async () => ({
  default: (await import("./OpenedFileDialog")).OpenedFileDialog,
}));

/**
 * Features of the desktop app only: opening links and files, and the question what happens to runs
 * and terminals when the window closes. Renders nothing in a browser.
 */
export function DesktopIntegration(): ReactElement | null {
  const { desktop } = useBackend();
  const [files, setFiles] = useState<PickedFile[]>([]);
  const [question, setQuestion] = useState<CloseRequest>();
  const [habit] = useCloseBehavior();
  const navigate = useNavigate();

  useEffect(
    () =>
      desktop?.onOpenRequest((arrival: OpenRequest) => {
        switch (arrival.kind) {
          case "place":
            return void navigate(locationPath(arrival.place));
          case "file":
            return setFiles((before) => [...before, arrival.file]);
          case "unknown":
            return showToast({
              kind: "error",
              title: `Couldn't open “${arrival.what}”`,
              detail: arrival.reason,
            });
        }
      }),
    [desktop, navigate],
  );

  useEffect(
    () =>
      desktop?.onCloseRequest((asked) => {
        // Quitting always asks; for closing there may be a remembered choice.
        // A choice made for runs doesn't cover programs that would be ended.
        const ends = habit === "quit" && asked.programs.length > 0;
        if (asked.wish === "close" && habit !== "ask" && !ends)
          void desktop.answerCloseRequest(habit);
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
        <CloseWindowDialog
          question={question}
          onDecide={(decision) => {
            setQuestion(undefined);
            void desktop.answerCloseRequest(decision);
          }}
        />
      )}
    </Suspense>
  );
}

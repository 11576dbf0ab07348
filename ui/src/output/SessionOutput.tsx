import type { ReactElement } from "react";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { OutputStream, SessionId } from "@/api/bindings";
import { useFilePlaces } from "@/attempt/useFilePlaces";
import { showToast } from "@/components/toasts";
import { OutputView, type OutputViewProps } from "./OutputView";

/** The output of a session, with its files: those it mentions, and those it is stored in. */
export function SessionOutput(
  props: Omit<OutputViewProps, "onOpenPath" | "onDownload" | "onOpenFile">,
): ReactElement {
  const backend = useBackend();
  const places = useFilePlaces(props.session);
  const files = useOutputFiles(props.session);
  return (
    <>
      <OutputView
        {...props}
        onOpenPath={places.openPath}
        onDownload={(stream) => void files.download(stream)}
        {...(backend.desktop && { onOpenFile: () => void files.open() })}
      />
      {places.view}
    </>
  );
}

/** Saves and opens the files with the raw output of a session. */
function useOutputFiles(session: SessionId) {
  const backend = useBackend();

  async function download(stream: OutputStream) {
    try {
      const saved = await backend.saveSessionOutput(session, stream, { name: `${stream}.log` });
      if (saved !== undefined)
        showToast({ kind: "info", title: "Output downloaded", detail: saved });
    } catch (cause) {
      showFailure("Couldn't download the output", cause);
    }
  }

  async function open() {
    try {
      const target = { kind: "output", stream: "stdout" } as const;
      const { program } = await backend.call("session_file_open", { session, target });
      if (program === null)
        showToast({
          kind: "error",
          title: "Couldn't open the raw file",
          detail: "No editor is chosen. Choose one in the settings, or download the output.",
        });
    } catch (cause) {
      showFailure("Couldn't open the raw file", cause);
    }
  }

  return { download, open };
}

function showFailure(title: string, cause: unknown): void {
  showToast({ kind: "error", title, detail: ApiError.from(cause).message });
}

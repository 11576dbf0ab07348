import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { OutputStream, SessionId } from "@/api/bindings";
import { formatBytes } from "@/components/formatBytes";
import { showToast } from "@/components/toasts";
import { isCopyable, maxCopyBytes, type OutputPart, readOutputText } from "./outputText";

/** Returns a function that copies a part of an output, or says why it can't. */
export function useCopyOutput(
  session: SessionId,
  onDownload: ((stream: OutputStream) => void) | undefined,
): (part: OutputPart, colors: boolean) => Promise<void> {
  const backend = useBackend();
  return async (part, colors) => {
    if (!isCopyable(part)) {
      showToast({
        kind: "error",
        title: `Couldn't copy ${formatBytes(part.to - part.from)}`,
        detail: `Up to ${formatBytes(maxCopyBytes)} can be copied.${onDownload ? " Download the output instead." : ""}`,
        ...(onDownload && {
          action: { label: "Download", onAct: () => onDownload("stdout") },
        }),
      });
      return;
    }
    try {
      const text = await readOutputText(backend, session, part, colors);
      await navigator.clipboard.writeText(text);
      showToast({ kind: "info", title: "Output copied" });
    } catch (cause) {
      const { message } = ApiError.from(cause);
      showToast({ kind: "error", title: "Couldn't copy the output", detail: message });
    }
  };
}

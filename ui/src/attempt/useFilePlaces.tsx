import { type ReactNode, useState } from "react";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { SessionId } from "@/api/bindings";
import { showToast } from "@/components/toasts";
import { FileView } from "./FileView";
import type { FilePlace } from "./filePlace";

/** Opens the files that a session mentions. */
export interface FilePlaces {
  openPath: (place: FilePlace) => void;
  /** Opens the read-only view. */
  viewPath: (place: FilePlace) => void;
  /** The read-only view while it is open. Render it once, anywhere. */
  view: ReactNode;
}

/**
 * Gives a feature what opens the files of a session: in the person's editor if the window runs on
 * the machine of the files, otherwise in the read-only view.
 */
export function useFilePlaces(session: SessionId): FilePlaces {
  const backend = useBackend();
  const [shown, setShown] = useState<FilePlace>();

  async function openInEditor(place: FilePlace) {
    try {
      const target = { kind: "file", ...place } as const;
      const { program } = await backend.call("session_file_open", { session, target });
      if (program === null) setShown(place);
    } catch (cause) {
      const detail = ApiError.from(cause).message;
      showToast({ kind: "error", title: "Couldn't open the file in an editor", detail });
      setShown(place);
    }
  }

  return {
    openPath: (place) => (backend.desktop ? void openInEditor(place) : setShown(place)),
    viewPath: setShown,
    view: shown && <FileView session={session} place={shown} onClose={() => setShown(undefined)} />,
  };
}

import { FileDown } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import type { PickedFile } from "@/api/Backend";
import { useBackend } from "@/api/backendContext";

/** Accepts files dropped anywhere on the page, and shows `message` while they hover. */
export function FileDropZone({
  message,
  onFiles,
}: {
  /** What dropping does: "Drop to import as blueprints". */
  message: string;
  onFiles: (files: PickedFile[]) => void;
}): ReactElement {
  const backend = useBackend();
  const [over, setOver] = useState(false);

  useEffect(
    () =>
      backend.onFileDrag((drag) => {
        setOver(drag.kind === "over");
        if (drag.kind === "dropped" && drag.files.length > 0) onFiles(drag.files);
      }),
    [backend, onFiles],
  );

  return (
    <div aria-live="polite">
      {over && (
        <div className="pointer-events-none fixed inset-0 z-30 flex animate-fade items-center justify-center bg-scrim p-6">
          <div className="flex animate-appear items-center gap-2 rounded-card bg-overlay px-4 py-3 font-medium shadow-float">
            <FileDown className="size-4 text-accent-fg" aria-hidden="true" />
            {message}
          </div>
        </div>
      )}
    </div>
  );
}

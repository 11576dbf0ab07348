import { type ReactElement, useCallback } from "react";
import { ApiError } from "@/api/ApiError";
import type { PickedFile } from "@/api/Backend";
import { FileDropZone } from "@/components/FileDropZone";
import { showToast } from "@/components/toasts";
import { useBlueprint } from "@/plan/blueprintContext";

/** Adds the nodes of dropped files to the open blueprint, as if their text were pasted. */
export function NodeFileDrop(): ReactElement {
  const { edit } = useBlueprint();
  const take = useCallback(
    (files: PickedFile[]) => {
      for (const file of files)
        void textOf(file).then((text) => {
          if (text !== undefined && !edit.paste(text)) refuse(file, unsupportedFileText);
        });
    },
    [edit],
  );
  return <FileDropZone message="Drop to add the nodes from this file" onFiles={take} />;
}

const unsupportedFileText =
  "The file doesn't contain nodes. You can add a plan as YAML or JSON, or a Mermaid flowchart.";

async function textOf(file: PickedFile): Promise<string | undefined> {
  try {
    return await file.read();
  } catch (cause) {
    refuse(file, ApiError.from(cause).message);
    return undefined;
  }
}

function refuse({ name }: PickedFile, detail: string): void {
  showToast({ kind: "error", title: `Couldn't add nodes from ${name}`, detail });
}

import { type ReactElement, useCallback } from "react";
import { ApiError } from "@/api/ApiError";
import type { GivenFile } from "@/api/Backend";
import { FileDrop } from "@/components/FileDrop";
import { showToast } from "@/components/toasts";
import { useBlueprint } from "@/plan/blueprintContext";

/** Puts the nodes of files that are dropped on the open blueprint into it, as if their text were pasted. */
export function NodesDrop(): ReactElement {
  const { edit } = useBlueprint();
  const take = useCallback(
    (files: GivenFile[]) => {
      for (const file of files)
        void textOf(file).then((text) => {
          if (text !== undefined && !edit.paste(text)) refuse(file, notTaken);
        });
    },
    [edit],
  );
  return <FileDrop words="Drop to add the nodes of the file" onFiles={take} />;
}

const notTaken =
  "It holds something else. Its nodes can be added from a plan as YAML or JSON, and from a flowchart of Mermaid.";

async function textOf(file: GivenFile): Promise<string | undefined> {
  try {
    return await file.read();
  } catch (cause) {
    refuse(file, ApiError.from(cause).message);
    return undefined;
  }
}

function refuse({ name }: GivenFile, detail: string): void {
  showToast({ kind: "error", title: `Nothing was added from ${name}`, detail });
}

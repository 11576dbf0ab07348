import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useBackend } from "@/api/backendContext";
import { operationKey } from "@/api/queries";
import { ArgumentsField } from "./ArgumentsField";
import { commandFault } from "./editorOptions";
import { SaveDialog } from "./SaveDialog";

/** Edits the command that opens files. It is stored as a whole, once it is complete. */
export function CustomEditorDialog({
  argv,
  onClose,
}: {
  argv: readonly string[];
  onClose: () => void;
}): ReactElement {
  const backend = useBackend();
  const client = useQueryClient();
  const [draft, setDraft] = useState<string[]>([...argv]);
  const [isTouched, setIsTouched] = useState(false);
  const fault = commandFault(draft);
  const save = useMutation({
    // Another window or the shell may have changed settings since they were loaded here.
    mutationFn: async () => {
      const current = await backend.call("settings_get", {});
      const editor = { kind: "custom", argv: draft } as const;
      return backend.call("settings_save", { ...current, editor });
    },
    onSuccess: (saved) => {
      client.setQueryData(operationKey("settings_get", {}), saved);
      onClose();
    },
  });
  return (
    <SaveDialog
      title="Custom editor"
      description="A command that opens a file. It starts without a shell."
      act="Save command"
      ready={fault === undefined}
      save={save}
      onSave={() => save.mutate()}
      onClose={onClose}
    >
      <ArgumentsField
        command={draft}
        programFault={isTouched ? fault : undefined}
        placeholder="gvim"
        note="{path} is the file, {line} and {column} the place in it, or 1 if it is unknown."
        onChange={(next) => {
          setIsTouched(true);
          setDraft(next);
        }}
      />
    </SaveDialog>
  );
}

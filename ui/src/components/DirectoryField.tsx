import { type ReactElement, useDeferredValue } from "react";
import { useBackend } from "@/api/backendContext";
import { useOperation } from "@/api/queries";
import { Button } from "./Button";
import { TextField } from "./TextField";

/**
 * The directory in which the blueprint runs. The path is checked while it is typed; nothing is
 * created.
 */
export function DirectoryField({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (path: string | null) => void;
}): ReactElement {
  const backend = useBackend();
  const path = useDeferredValue(value?.trim() ?? "");
  const { data, error } = useOperation(
    "directory_check",
    { path },
    { enabled: path !== "", staleTime: 0, retry: false },
  );
  const problem =
    path !== "" &&
    (error?.message ?? (data && !data.exists ? "This directory doesn't exist." : undefined));

  async function browse() {
    const chosen = await backend.pickFolder?.();
    if (chosen !== undefined) onChange(chosen);
  }

  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label="Directory"
          mono
          placeholder="/home/you/project"
          value={value ?? ""}
          error={problem || undefined}
          hint={
            path === ""
              ? "Nodes run here. Required before the blueprint can run."
              : data?.exists && (data.git ? "A git repository" : "Not a git repository")
          }
          onChange={(next) => onChange(next === "" ? null : next)}
        />
      </div>
      {backend.pickFolder && (
        <Button className="mt-5" onClick={() => void browse()}>
          Browse
        </Button>
      )}
    </div>
  );
}

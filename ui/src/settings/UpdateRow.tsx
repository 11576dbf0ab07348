import type { ReactElement } from "react";
import { useBackend } from "@/api/backendContext";
import { Button } from "@/components/Button";
import { Switch } from "@/components/Switch";
import {
  checkForUpdate,
  type UpdateState,
  useAutomaticUpdateChecks,
  useUpdateState,
} from "@/shell/updates";
import { useUpdateSource } from "@/shell/useUpdateSource";
import { FactRow } from "./FactList";

/** How this installation is updated. Renders nothing in a browser. */
export function UpdateRow(): ReactElement | null {
  const { updates } = useBackend();
  const source = useUpdateSource();
  const state = useUpdateState();
  const [automatic, setAutomatic] = useAutomaticUpdateChecks();
  if (!updates || !source) return null;
  if (source !== "releases") {
    return (
      <FactRow name="Updates">
        {source === "package_manager"
          ? "Your package manager updates Baton."
          : "This build doesn't check for updates."}
      </FactRow>
    );
  }
  return (
    <FactRow name="Updates">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 py-1">
        <span role="status" className="min-w-0 flex-1 basis-40 break-words">
          {describeUpdate(state)}
        </span>
        <Switch label="Check automatically" checked={automatic} onChange={setAutomatic} />
        <Button
          size="small"
          busy={state.step === "checking"}
          disabled={state.step === "installing" || state.step === "installed"}
          onClick={() => void checkForUpdate(updates)}
        >
          Check for updates
        </Button>
      </div>
    </FactRow>
  );
}

function describeUpdate(state: UpdateState): string {
  switch (state.step) {
    case "unknown":
      return "Not checked yet";
    case "checking":
      return "Checking…";
    case "current":
      return "Up to date";
    case "available":
      return `Baton ${state.update.version} is available`;
    case "installing":
      return `Installing Baton ${state.update.version}…`;
    case "installed":
      return `Baton ${state.update.version} is installed. Restart to use it.`;
    case "failed":
      return state.error.message;
  }
}

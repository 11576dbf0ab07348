import { Play } from "lucide-react";
import type { ReactElement } from "react";
import { disabledReason, runCommand } from "@/commands/commandRegistry";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { useEditor } from "@/plan/editor";

/** Shown before the first run, or when no run is chosen. */
export function GanttEmptyState(): ReactElement {
  const chosen = useEditor((state) => state.runId !== undefined);
  const ran = useEditor((state) => state.view.lastRun !== null);
  if (chosen) return <div className="flex-1 bg-surface" role="status" aria-label="Loading run" />;
  if (ran) {
    return (
      <EmptyState title="No run is shown">
        Choose a run in the toolbar above to see its times.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No times yet"
      actions={
        <Button kind="primary" onClick={() => runCommand("run")} title={disabledReason("run")}>
          <Play />
          Run all
        </Button>
      }
    >
      Each node gets a row, with a bar for each attempt: when it ran, how long it waited, and what
      took longest.
    </EmptyState>
  );
}

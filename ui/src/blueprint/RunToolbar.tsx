import { History, RefreshCw } from "lucide-react";
import type { ReactElement } from "react";
import { runCommand } from "@/commands/commandRegistry";
import { ToolButton } from "@/commands/ToolButton";
import { Button } from "@/components/Button";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { staleNodes } from "@/plan/staleNodes";
import { CheckpointsDialog } from "./CheckpointsDialog";

/**
 * Buttons for the shown run as a whole, except resume and stop: replay, and rerun of stale nodes.
 * In a `small` header, the menu has both.
 */
export function RunToolbar({ small = false }: { small?: boolean }): ReactElement | null {
  const { page, runs } = useBlueprint();
  const run = useEditor((state) => state.run?.summary.id);
  const stale = useEditor((state) => (state.run ? staleNodes(state.run).length : 0));
  const open = usePage((state) => state.checkpointsOpen);
  const rollbackTo = usePage((state) => state.rollbackTo);
  const lookingBack = usePage((state) => state.playbackOpen);
  if (run === undefined) return null;

  return (
    <>
      {!small && (
        <ToolButton
          command="look_back"
          label="Replay the run"
          pressed={lookingBack}
          icon={<History />}
          onClick={() => runCommand("look_back")}
        />
      )}
      {stale > 0 && !lookingBack && !small && (
        <Button
          size="small"
          title="Reruns only the nodes whose input has changed"
          onClick={() => runs.askToRerun("stale")}
        >
          <RefreshCw />
          Rerun stale ({stale})
        </Button>
      )}
      {open && (
        <CheckpointsDialog
          run={run}
          rollbackTo={rollbackTo}
          onClose={() => page.setState({ checkpointsOpen: false, rollbackTo: undefined })}
        />
      )}
    </>
  );
}

import { History, RefreshCw } from "lucide-react";
import type { ReactElement } from "react";
import { perform } from "@/commands/offers";
import { ToolButton } from "@/commands/ToolButton";
import { Button } from "@/components/Button";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { staleNodes } from "@/plan/staleWords";
import { CheckpointsDialog } from "./CheckpointsDialog";

/**
 * What can be done about the shown run as a whole, beside going on and stopping: looking back, and stale nodes. In a
 * `small` head the menu has both.
 */
export function RunTools({ small = false }: { small?: boolean }): ReactElement | null {
  const { page, runs } = useBlueprint();
  const run = useEditor((state) => state.run?.summary.id);
  const stale = useEditor((state) => (state.run ? staleNodes(state.run).length : 0));
  const open = usePage((state) => state.checkpoints);
  const lookingBack = usePage((state) => state.lookingBack);
  if (run === undefined) return null;

  return (
    <>
      {!small && (
        <ToolButton
          command="look_back"
          label="Look back over the run"
          pressed={lookingBack}
          icon={<History />}
          onClick={() => perform("look_back")}
        />
      )}
      {stale > 0 && !lookingBack && !small && (
        <Button
          size="small"
          title="Runs the nodes again whose input has changed since, and nothing else"
          onClick={() => void runs.rerunStale()}
        >
          <RefreshCw />
          Re-run stale ({stale})
        </Button>
      )}
      {open && (
        <CheckpointsDialog run={run} onClose={() => page.setState({ checkpoints: false })} />
      )}
    </>
  );
}

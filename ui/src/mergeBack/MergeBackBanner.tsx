import { GitMerge } from "lucide-react";
import type { ReactElement } from "react";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { formatCount } from "@/components/formatCount";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { runPhase } from "@/plan/runStatus";
import { usesWorktrees } from "@/plan/usesWorktrees";
import { useMergeBack } from "./useMergeBack";

/**
 * Shown if work of the shown run is not in the person's directory. Hidden while the run is active.
 */
export function MergeBackBanner(): ReactElement | null {
  const run = useEditor((state) => state.run?.summary.id);
  // While nodes work, every change would query git again.
  const rests = useEditor(
    ({ run }) => run && ["idle", "paused", "stalled"].includes(runPhase(run)),
  );
  const apart = useEditor((state) => state.run !== undefined && usesWorktrees(state.run));
  if (run === undefined || !rests || !apart) return null;
  return <MergeBackStatus key={run} run={run} />;
}

function MergeBackStatus({ run }: { run: string }): ReactElement | null {
  const { page } = useBlueprint();
  const mergeBack = useMergeBack(run, null);
  if (!mergeBack.data) return null;
  const { outside, open, brought } = mergeBack.data;
  const cutOff = brought.some(({ unfinished }) => unfinished);
  if (outside === 0 && !open && !cutOff) return null;
  return (
    <Banner
      tone={open || cutOff ? "warning" : "calm"}
      icon={<GitMerge />}
      actions={
        <Button
          size="small"
          aria-haspopup="dialog"
          onClick={() => page.setState({ mergeBackOpen: true })}
        >
          Review
        </Button>
      }
    >
      {cutOff
        ? "A merge into your directory was interrupted. Review it to complete or revert it."
        : open
          ? "Changes from this run conflict with your directory. They are waiting in a worktree."
          : `The work of ${formatCount(outside, "node")} isn't in your directory.`}
    </Banner>
  );
}

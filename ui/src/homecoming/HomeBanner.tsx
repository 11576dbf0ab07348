import { GitMerge } from "lucide-react";
import type { ReactElement } from "react";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { phaseOf } from "@/plan/runFacts";
import { worksApart } from "@/plan/worksApart";
import { useHome } from "./useHome";

/** That work of the shown run is not in the person's directory, once nothing of it runs; nothing else. */
export function HomeBanner(): ReactElement | null {
  const run = useEditor((state) => state.run?.summary.id);
  // While nodes work, git would be asked again and again.
  const rests = useEditor(({ run }) => run && ["idle", "paused", "stalled"].includes(phaseOf(run)));
  const apart = useEditor((state) => state.run !== undefined && worksApart(state.run));
  if (run === undefined || !rests || !apart) return null;
  return <Told key={run} run={run} />;
}

function Told({ run }: { run: string }): ReactElement | null {
  const { page } = useBlueprint();
  const home = useHome(run, null);
  if (!home.data) return null;
  const { outside, open, brought } = home.data;
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
          onClick={() => page.setState({ homecoming: true })}
        >
          Review
        </Button>
      }
    >
      {cutOff
        ? "Bringing work home was cut off. Review it to complete it or to take it back."
        : open
          ? "Work of this run does not fit with your directory. It waits in a worktree."
          : outside === 1
            ? "The work of 1 node is not in your directory."
            : `The work of ${outside} nodes is not in your directory.`}
    </Banner>
  );
}

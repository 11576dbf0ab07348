import { type ReactElement, useState } from "react";
import type { MergeBackView, NodeId, RunId } from "@/api/bindings";
import { FanInConflicts } from "@/attempt/FanInConflicts";
import { Dialog } from "@/components/Dialog";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { AppliedMergeList } from "./AppliedMergeList";
import { IncomingChanges } from "./IncomingChanges";
import { MergeBackActions } from "./MergeBackActions";
import { MergeBackConflict } from "./MergeBackConflict";
import { MergeBackNodeList } from "./MergeBackNodeList";
import { OverlapList } from "./OverlapList";
import { useMergeBack } from "./useMergeBack";

/** The work of the shown run that is outside the person's directory, and the ways to merge it. */
export function MergeBackDialog(): ReactElement | null {
  const { page } = useBlueprint();
  const open = usePage((state) => state.mergeBackOpen);
  const run = useEditor((state) => state.run?.summary.id);
  if (!open || run === undefined) return null;
  return <OpenDialog key={run} run={run} onClose={() => page.setState({ mergeBackOpen: false })} />;
}

function OpenDialog({ run, onClose }: { run: RunId; onClose: () => void }): ReactElement {
  const [chosen, choose] = useState<NodeId[] | null>(null);
  const mergeBack = useMergeBack(run, chosen);
  const ready =
    mergeBack.data?.open === null && hasMergeableWork(mergeBack.data) ? mergeBack.data : undefined;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="Changes from this run"
      description="Work that is outside your directory, work that was merged into it, and files that several nodes changed."
      width={680}
      {...(ready && { actions: <MergeBackActions run={run} mergeBack={ready} chosen={chosen} /> })}
    >
      {mergeBack.isPending && <Skeleton width="60%" />}
      {mergeBack.isError && (
        <ErrorState title="Couldn't load the changes" onRetry={() => void mergeBack.refetch()}>
          {mergeBack.error.message}
        </ErrorState>
      )}
      {mergeBack.data && (
        <DialogBody run={run} mergeBack={mergeBack.data} chosen={chosen} onChoose={choose} />
      )}
    </Dialog>
  );
}

/** Returns whether any work can be merged into the directory, including work on a branch. */
function hasMergeableWork({ nodes }: MergeBackView): boolean {
  return nodes.some(
    ({ files, whereabouts }) => files.length > 0 && whereabouts.place !== "directory",
  );
}

interface DialogBodyProps {
  run: RunId;
  mergeBack: MergeBackView;
  chosen: NodeId[] | null;
  onChoose: (nodes: NodeId[] | null) => void;
}

function DialogBody({ run, mergeBack, chosen, onChoose }: DialogBodyProps): ReactElement {
  return (
    <div className="flex flex-col gap-4">
      {mergeBack.open ? (
        <MergeBackConflict
          run={run}
          conflict={mergeBack.open}
          branch={mergeBack.openBranch}
          solver={mergeBack.solver}
        />
      ) : (
        <>
          <MergeBackNodeList mergeBack={mergeBack} chosen={chosen} onChoose={onChoose} />
          <FanInConflicts clashes={mergeBack.clashes} />
          <IncomingChanges mergeBack={mergeBack} />
        </>
      )}
      <AppliedMergeList run={run} brought={mergeBack.brought} />
      <OverlapList run={run} />
    </div>
  );
}

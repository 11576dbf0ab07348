import { type ReactElement, useState } from "react";
import type { HomeView, NodeId, RunId } from "@/api/bindings";
import { ClashList } from "@/attempt/ClashList";
import { Dialog } from "@/components/Dialog";
import { ErrorState } from "@/components/ErrorState";
import { Skeleton } from "@/components/Skeleton";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { BroughtList } from "./BroughtList";
import { Coming } from "./Coming";
import { HomeActs } from "./HomeActs";
import { HomeConflict } from "./HomeConflict";
import { HomeNodes } from "./HomeNodes";
import { OverlapList } from "./OverlapList";
import { useHome } from "./useHome";

/** The work of the shown run that stands apart from the person's directory, and the ways home. */
export function HomeDialog(): ReactElement | null {
  const { page } = useBlueprint();
  const open = usePage((state) => state.homecoming);
  const run = useEditor((state) => state.run?.summary.id);
  if (!open || run === undefined) return null;
  return <Open key={run} run={run} onClose={() => page.setState({ homecoming: false })} />;
}

function Open({ run, onClose }: { run: RunId; onClose: () => void }): ReactElement {
  const [chosen, choose] = useState<NodeId[] | null>(null);
  const home = useHome(run, chosen);
  const ready = home.data?.open === null && standsApart(home.data) ? home.data : undefined;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="Work of this run"
      description="What nodes left outside of your directory, what came into it, and what several nodes changed."
      width={680}
      {...(ready && { actions: <HomeActs run={run} home={ready} chosen={chosen} /> })}
    >
      {home.isPending && <Skeleton width="60%" />}
      {home.isError && (
        <ErrorState title="The work could not be read" onRetry={() => void home.refetch()}>
          {home.error.message}
        </ErrorState>
      )}
      {home.data && <Body run={run} home={home.data} chosen={chosen} onChoose={choose} />}
    </Dialog>
  );
}

/** Whether any work could come into the directory; also what is on a branch could. */
function standsApart({ nodes }: HomeView): boolean {
  return nodes.some(
    ({ files, whereabouts }) => files.length > 0 && whereabouts.place !== "directory",
  );
}

interface BodyProps {
  run: RunId;
  home: HomeView;
  chosen: NodeId[] | null;
  onChoose: (nodes: NodeId[] | null) => void;
}

function Body({ run, home, chosen, onChoose }: BodyProps): ReactElement {
  return (
    <div className="flex flex-col gap-4">
      {home.open ? (
        <HomeConflict
          run={run}
          conflict={home.open}
          branch={home.openBranch}
          solver={home.solver}
        />
      ) : (
        <>
          <HomeNodes home={home} chosen={chosen} onChoose={onChoose} />
          <ClashList clashes={home.clashes} />
          <Coming home={home} />
        </>
      )}
      <BroughtList run={run} brought={home.brought} />
      <OverlapList run={run} />
    </div>
  );
}

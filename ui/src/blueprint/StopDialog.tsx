import type { ReactElement } from "react";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { formatCount } from "@/components/formatCount";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { liveSessions } from "@/plan/runStatus";
import { StopNodeDialog } from "@/plan/StopNodeDialog";

/** Confirms stopping running nodes from the canvas, the list or the palette. */
export function StopNodesDialog(): ReactElement {
  const { page, runs } = useBlueprint();
  const asked = usePage((state) => state.stoppingNodes);
  const nodes = useEditor((state) => state.plan.nodes);
  const titles = (asked?.nodes ?? []).map((id) => {
    const node = nodes.find((candidate) => candidate.id === id);
    return displayTitle(node?.title ?? "");
  });
  return (
    <StopNodeDialog
      act={asked?.act}
      titles={titles}
      onClose={() => page.setState({ stoppingNodes: undefined })}
      onConfirm={() => void runs.stopNodes()}
    />
  );
}

/** Confirms stopping a run, with the number of sessions that will be stopped. */
export function StopDialog(): ReactElement {
  const { page, runs } = useBlueprint();
  const open = usePage((state) => state.stopping);
  const live = useEditor((state) => (state.run ? liveSessions(state.run) : 0));

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(stopping) => page.setState({ stopping })}
      title="Stop this run?"
      confirmLabel="Stop run"
      onConfirm={() => void runs.stop()}
    >
      {live === 0
        ? "No session is running. Nodes that haven't started won't start."
        : `${formatCount(live, "session")} and all ${live === 1 ? "its" : "their"} processes will be stopped. How far ${live === 1 ? "it" : "they"} got will be unknown.`}{" "}
      Finished nodes and their handoffs are kept. You can rerun single nodes later.
    </ConfirmDialog>
  );
}

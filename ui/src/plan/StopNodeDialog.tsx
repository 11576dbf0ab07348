import type { ReactElement } from "react";
import type { NodeId } from "@/api/bindings";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { formatCount } from "@/components/formatCount";
import { quoteTitle } from "@/components/quotedTitle";

/** What happens to a running node once its session has been stopped. */
type StoppingAct = "stop" | "skip" | "mark_done";

/** Running nodes to stop, and what to do with them afterward. Skipping has a question of its own. */
export interface NodesToStop {
  act: Exclude<StoppingAct, "skip">;
  nodes: NodeId[];
}

export interface StopNodeDialogProps {
  /** Undefined while the dialog is closed. */
  act: StoppingAct | undefined;
  /** The titles of the affected nodes. */
  titles: string[];
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks for confirmation before the sessions of running nodes are stopped. */
export function StopNodeDialog({
  act,
  titles,
  onClose,
  onConfirm,
}: StopNodeDialogProps): ReactElement {
  const many = titles.length > 1;
  const what = many ? formatCount(titles.length, "running node") : quoteTitle(titles[0] ?? "");
  return (
    <ConfirmDialog
      open={act !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={act ? `${verbs[act].title} ${what}?` : ""}
      confirmLabel={act ? verbs[act].confirm : ""}
      onConfirm={onConfirm}
    >
      {many
        ? "This ends their sessions and all their processes."
        : "This ends its session and all its processes."}{" "}
      {act && verbs[act].after}
    </ConfirmDialog>
  );
}

const verbs: Record<StoppingAct, { title: string; confirm: string; after: string }> = {
  stop: {
    title: "Stop",
    confirm: "Stop",
    after: "The rest of the run continues. You can then retry, skip or mark it done.",
  },
  skip: {
    title: "Stop and skip",
    confirm: "Stop and skip",
    after: "The run continues without it.",
  },
  mark_done: {
    title: "Stop and mark done",
    confirm: "Stop and mark done",
    after: "The run continues as if it were done.",
  },
};

import { type ReactElement, type ReactNode, useRef } from "react";
import type { NodeId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { LoadedRerunPreview, useRerunPreview } from "@/plan/RerunPreview";
import type { RerunRequest } from "@/plan/rerunRequest";
import { rerunConfirmLabel, rerunTitle } from "@/plan/rerunText";

/** Shows what will run again and what it cost last time, before it starts. */
export function RerunDialog(): ReactElement | null {
  const request = usePage((state) => state.rerunRequest);
  if (!request) return null;
  return request.act === "want" ? (
    <WantDialog request={request} />
  ) : (
    <PreviewDialog request={request} />
  );
}

/** Confirms further nodes of an active run. They are started by it and not listed beforehand. */
function WantDialog({
  request,
}: {
  request: Extract<RerunRequest, { act: "want" }>;
}): ReactElement {
  const nodes = request.goals.flatMap((goal) => (goal.want === "node" ? [goal.node] : []));
  return (
    <StartDialog request={request} nodes={nodes} count={undefined}>
      The active run continues with them and with the nodes that they depend on.
    </StartDialog>
  );
}

function PreviewDialog({
  request,
}: {
  request: Exclude<RerunRequest, { act: "want" }>;
}): ReactElement {
  const { data, error } = useRerunPreview(request.run, request.act, request.nodes);
  const count = data?.nodes.length;
  return (
    <StartDialog
      request={request}
      nodes={request.nodes}
      count={count}
      loading={!data && !error}
      refused={error !== null || count === 0}
    >
      <LoadedRerunPreview {...request} />
    </StartDialog>
  );
}

interface StartDialogProps {
  request: RerunRequest;
  /** The nodes that the title names. */
  nodes: readonly NodeId[];
  /** How many nodes will run; undefined while that is not known. */
  count: number | undefined;
  loading?: boolean;
  /** It can't be confirmed. */
  refused?: boolean;
  children: ReactNode;
}

/** Enter confirms and Escape cancels: nothing is lost either way. */
function StartDialog(props: StartDialogProps): ReactElement {
  const { request, nodes, count, loading = false, refused = false, children } = props;
  const { page, runs } = useBlueprint();
  const known = useEditor((state) => state.plan.nodes);
  const main = useRef<HTMLButtonElement>(null);
  const titles = nodes.map((id) => displayTitle(known.find((node) => node.id === id)?.title ?? ""));
  const close = () => page.setState({ rerunRequest: undefined });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || close()}
      focusFirst={() => main.current}
      title={rerunTitle(request, titles)}
      actions={
        <>
          <Button ref={refused ? main : undefined} onClick={close}>
            {refused ? "Close" : "Cancel"}
          </Button>
          {!refused && (
            <Button
              ref={main}
              kind="primary"
              busy={loading}
              // The shortcut that opened the dialog may still be held down.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              onClick={() => void runs.confirmRerun()}
            >
              {rerunConfirmLabel(request.act, count)}
            </Button>
          )}
        </>
      }
    >
      {children}
    </Dialog>
  );
}

import { type ReactElement, type ReactNode, useRef } from "react";
import type { Node, NodeId } from "@/api/bindings";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Dialog } from "@/components/Dialog";
import { formatNumber } from "@/components/formatCount";
import { useBlueprint, usePage } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { LoadedRerunPreview, useRerunPreview } from "@/plan/RerunPreview";
import type { RerunRequest } from "@/plan/rerunRequest";
import { rerunConfirmLabel, rerunTitle, stoppedSessionsText } from "@/plan/rerunText";

/** Shows what will run again and what it cost last time, before it starts. */
export function RerunDialog(): ReactElement | null {
  const request = usePage((state) => state.rerunRequest);
  if (!request) return null;
  switch (request.act) {
    case "want":
      return <WantDialog request={request} />;
    case "skip":
      return request.running.length === 0 ? (
        <SkipDialog request={request} />
      ) : (
        <StopAndSkipDialog request={request} />
      );
    default:
      return <PreviewDialog request={request} />;
  }
}

const maxListed = 10;

type SkipRequest = Extract<RerunRequest, { act: "skip" }>;

/** Names the nodes that may start because others are skipped. */
function SkipDialog({ request }: { request: SkipRequest }): ReactElement {
  return (
    <StartDialog request={request} nodes={request.nodes} count={undefined}>
      <AfterSkip request={request} />
    </StartDialog>
  );
}

/** Asks before sessions are stopped because their nodes are skipped. */
function StopAndSkipDialog({ request }: { request: SkipRequest }): ReactElement {
  const { page, runs } = useBlueprint();
  const known = useEditor((state) => state.plan.nodes);
  const titles = request.nodes.map((id) => titleIn(known, id));
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || page.setState({ rerunRequest: undefined })}
      title={rerunTitle(request, titles)}
      confirmLabel={rerunConfirmLabel(request, undefined)}
      onConfirm={() => void runs.confirmRerun()}
    >
      <p>{stoppedSessionsText(request)}</p>
      <AfterSkip request={request} />
    </ConfirmDialog>
  );
}

function AfterSkip({ request: { nodes, starts } }: { request: SkipRequest }): ReactElement {
  const known = useEditor((state) => state.plan.nodes);
  const rest = starts.length - maxListed;
  const continues = `The run continues without ${nodes.length === 1 ? "it" : "them"}`;
  if (starts.length === 0) return <p>{continues}.</p>;
  return (
    <>
      <p className="mb-2 text-muted">
        {continues}, and {starts.length === 1 ? "this node" : "these nodes"} may start:
      </p>
      <ul aria-label="Nodes that may start" className="flex flex-col">
        {starts.slice(0, maxListed).map((id) => {
          const title = titleIn(known, id);
          return (
            <li
              key={id}
              dir="auto"
              title={title}
              className="h-7 truncate border-b leading-7 last:border-b-0"
            >
              {title}
            </li>
          );
        })}
      </ul>
      {rest > 0 && <p className="pt-1 text-12 text-faint">and {formatNumber(rest)} more</p>}
    </>
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
  request: Exclude<RerunRequest, { act: "want" | "skip" }>;
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

function titleIn(nodes: readonly Node[], id: NodeId): string {
  return displayTitle(nodes.find((node) => node.id === id)?.title ?? "");
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
  const titles = nodes.map((id) => titleIn(known, id));
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
              {rerunConfirmLabel(request, count)}
            </Button>
          )}
        </>
      }
    >
      {children}
    </Dialog>
  );
}

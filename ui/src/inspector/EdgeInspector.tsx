import { Pin, TriangleAlert } from "lucide-react";
import { type ReactElement, useState } from "react";
import type { Edge, EdgeView, Plan, RunView } from "@/api/bindings";
import { useMutationOperation, useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { CopyButton } from "@/components/CopyButton";
import { ErrorState } from "@/components/ErrorState";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { Pill } from "@/components/Pill";
import { RelativeTime } from "@/components/RelativeTime";
import { Skeleton } from "@/components/Skeleton";
import { TokenCount } from "@/components/TokenCount";
import { useBlueprint } from "@/plan/blueprintContext";
import { edgeKey } from "@/plan/edgeKey";
import { displayTitle } from "@/plan/nodeText";
import { HandoffPinEditor } from "./HandoffPinEditor";

export interface EdgeInspectorProps {
  edge: Edge;
  plan: Plan;
  /** The run shown on the page. */
  run: RunView | undefined;
}

/** The selected edge: the exact text that the child receives, editable until the child starts. */
export function EdgeInspector({ edge, plan, run }: EdgeInspectorProps): ReactElement {
  const title = (id: string) =>
    displayTitle(plan.nodes.find((node) => node.id === id)?.title ?? "a deleted node");
  return (
    <div className="flex min-w-0 flex-col gap-3 px-4 py-2">
      <header className="flex flex-col gap-0.5">
        <h2 dir="auto" className="break-words font-semibold">
          {title(edge.parent)} <span aria-hidden="true">→</span>
          <span className="sr-only">to</span> {title(edge.child)}
        </h2>
        <p className="text-12 text-faint">
          {edge.soft
            ? "Soft: passes its handoff without blocking the child"
            : "Passes its handoff when done"}
        </p>
      </header>
      {edge.inferred && <Inferred edge={edge} />}
      {run ? (
        <HandedOver edge={edge} run={run} />
      ) : (
        <p className="text-muted">
          Run the blueprint to see what the child receives. You can change it until the child
          starts.
        </p>
      )}
    </div>
  );
}

/** An edge that an import read out of the order of tasks: confirm it or delete it. */
function Inferred({ edge }: { edge: Edge }): ReactElement {
  const { edit } = useBlueprint();
  const key = edgeKey(edge);
  return (
    <div className="flex flex-col gap-2 rounded-control border border-dashed border-line-strong px-2.5 py-2 text-12">
      <p>
        Inferred: the imported list only has this order. Confirm the edge, or delete it if the child
        doesn't need the parent.
      </p>
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" onClick={() => edit.confirmEdges(new Set([key]))}>
          Confirm edge
        </Button>
        <Button size="small" onClick={() => edit.removeEdge(key)}>
          Delete edge
        </Button>
      </div>
    </div>
  );
}

function HandedOver({ edge, run }: { edge: Edge; run: RunView }): ReactElement {
  const target = { run: run.summary.id, parent: edge.parent, child: edge.child };
  const received = useOperation("edge_context", target);
  const unpin = useMutationOperation("handoff_unpin");
  const [editing, setEditing] = useState(false);
  if (received.isPending) return <Skeleton width="60%" />;
  if (received.isError) {
    return (
      <ErrorState
        title="Couldn't load this edge's handoff"
        detail={received.error.code}
        onRetry={() => void received.refetch()}
      >
        {received.error.message}
      </ErrorState>
    );
  }
  if (editing) {
    return (
      <HandoffPinEditor target={target} view={received.data} onClose={() => setEditing(false)} />
    );
  }
  const child = run.nodes.find((node) => node.node === edge.child)?.state;
  const started =
    child?.state === "running" ||
    (child?.state === "waiting" && (child.for.kind === "slot" || child.for.kind === "person"));
  return (
    <div className="flex flex-col gap-3">
      <PinState view={received.data} />
      <Received view={received.data} again={child?.state === "done"} />
      {started ? (
        <p className="text-12 text-muted">
          The child has already started. To change what its next attempt receives, stop it or wait
          until it finishes.
        </p>
      ) : (
        <div className="flex flex-wrap gap-1.5">
          <Button size="small" onClick={() => setEditing(true)}>
            <Pin />
            {received.data.pin ? "Edit pinned text" : "Edit and pin"}
          </Button>
          {received.data.pin && (
            <Button size="small" busy={unpin.isPending} onClick={() => unpin.mutate(target)}>
              Unpin
            </Button>
          )}
        </div>
      )}
      {unpin.error && (
        <p role="alert" className="text-12 text-danger-fg">
          {unpin.error.message}
        </p>
      )}
    </div>
  );
}

function PinState({ view: { pin } }: { view: EdgeView }): ReactElement | null {
  if (!pin) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-center gap-2 text-12 text-muted">
        <Pill tone="accent">
          <Pin aria-hidden="true" className="size-3" />
          Pinned
        </Pill>
        <RelativeTime at={pin.pinnedAt} />
      </p>
      {pin.stale && (
        <p className="flex gap-1.5 rounded-control border border-dashed border-line-strong px-2.5 py-2 text-12">
          <TriangleAlert
            aria-hidden="true"
            className="mt-px size-3.5 shrink-0 text-state-waiting"
          />
          <span>
            Stale: the parent has written a new handoff since. The child still receives the pinned
            text. Edit or unpin it.
          </span>
        </p>
      )}
    </div>
  );
}

function Received({ view, again }: { view: EdgeView; again: boolean }): ReactElement {
  return (
    <section>
      <div className="mb-1 flex items-center gap-1 text-12 text-muted">
        <h3 className="font-medium">
          {again ? "Its next attempt receives" : "The child receives"}
        </h3>
        <span>
          about <TokenCount tokens={view.tokens} /> tokens
        </span>
        <span className="ml-auto">
          <CopyButton text={view.text} label="Copy handoff" />
        </span>
      </div>
      <pre
        {...keyboardScrollable}
        dir="auto"
        className="max-h-[60vh] select-text overflow-auto whitespace-pre-wrap break-words rounded-control border bg-canvas px-2.5 py-1.5 text-12 leading-4.5"
      >
        {view.text}
      </pre>
    </section>
  );
}

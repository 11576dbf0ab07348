import { type ReactElement, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import type { CheckpointView, Node, NodeId, RunView } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { formatCount } from "@/components/formatCount";
import { Skeleton } from "@/components/Skeleton";
import { useEditor } from "@/plan/editor";
import { displayTitle } from "@/plan/nodeText";
import { liveSessions } from "@/plan/runStatus";
import { useRunHistory } from "@/run/useRunHistory";
import { HistoryList } from "./HistoryList";
import { eventNodes } from "./historyText";
import { rollbackRows } from "./rollbackTarget";

export interface HistoryPanelProps {
  run: RunView | undefined;
  /** The selected node, for the filter. */
  node: Node | undefined;
  /** Where the header is rendered: in the row of tabs. */
  headPlace: HTMLElement | null;
}

/** All events of the shown run, newest first. */
export function HistoryPanel({ run, ...props }: HistoryPanelProps): ReactElement {
  if (!run) {
    return (
      <p className="flex h-full items-center justify-center p-4 text-faint">
        No run is shown. Choose Run all to see a run's events here.
      </p>
    );
  }
  return <History key={run.summary.id} run={run} {...props} />;
}

function History({ run, node, headPlace }: HistoryPanelProps & { run: RunView }): ReactElement {
  const { rows, more, reading, error, readEarlier, retry } = useRunHistory(run);
  const [ofNode, setOfNode] = useState(false);
  const checkpoints = useReachableCheckpoints(run);
  const only = ofNode ? node?.id : undefined;
  const rollbacks = useMemo(() => rollbackRows(rows), [rows]);
  const shown = useMemo(() => (only === undefined ? rows : rowsAbout(rows, only)), [rows, only]);

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {headPlace &&
        createPortal(
          <>
            <NodeHistory node={node} pressed={only !== undefined} onChange={setOfNode} />
            <span
              className="ml-auto whitespace-nowrap text-12 text-faint tabular-nums"
              role="status"
            >
              {only === undefined
                ? formatCount(run.seq, "event")
                : `${shown.length} of ${formatCount(run.seq, "event")}`}
            </span>
          </>,
          headPlace,
        )}
      {error && rows.length === 0 ? (
        <ErrorState
          title="Couldn't load the history"
          detail={error.code}
          onRetry={retry}
          retrying={reading}
        >
          {error.message}
        </ErrorState>
      ) : rows.length === 0 ? (
        <Loading />
      ) : shown.length === 0 && !more ? (
        <EmptyState
          title="No events for this node"
          actions={<Button onClick={() => setOfNode(false)}>Show the whole run</Button>}
        >
          The run didn't reach it.
        </EmptyState>
      ) : (
        <HistoryList
          key={only ?? "all"}
          rows={shown}
          run={run}
          {...{ checkpoints, rollbacks }}
          more={more}
          reading={reading}
          onEarlier={readEarlier}
        />
      )}
      {error && rows.length > 0 && (
        <p
          role="alert"
          className="flex shrink-0 items-center gap-3 border-t px-4 py-1 text-danger-fg"
        >
          <span className="min-w-0 flex-1">Couldn't load the rest. {error.message}</span>
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}

const noCheckpoints: readonly CheckpointView[] = [];

/** The checkpoints that the run may be rolled back to now: none while something runs. */
function useReachableCheckpoints(run: RunView): readonly CheckpointView[] {
  const past = useEditor((state) => state.run?.past !== undefined);
  const enabled = !past && liveSessions(run) === 0;
  const { data } = useOperation("run_checkpoints", { run: run.summary.id }, { enabled });
  return (enabled && data) || noCheckpoints;
}

function rowsAbout(rows: ReturnType<typeof useRunHistory>["rows"], node: NodeId) {
  return rows.filter(({ event }) => eventNodes(event).includes(node));
}

function NodeHistory({
  node,
  pressed,
  onChange,
}: {
  node: Node | undefined;
  pressed: boolean;
  onChange: (pressed: boolean) => void;
}): ReactElement {
  const title = node && displayTitle(node.title);
  return (
    <button
      type="button"
      aria-pressed={pressed}
      disabled={!node}
      title={title ? `Only events of ${title}` : "Select one node first"}
      onClick={() => onChange(!pressed)}
      className="inline-flex h-6 min-w-0 items-center rounded-full border px-2.5 font-medium text-12 text-muted transition-colors enabled:hover:bg-hover enabled:hover:text-fg disabled:opacity-50 aria-pressed:border-transparent aria-pressed:bg-accent-tint aria-pressed:text-accent-fg"
    >
      <span className="truncate">Selected node only</span>
    </button>
  );
}

function Loading(): ReactElement {
  return (
    <div role="status" aria-label="Loading history" className="flex flex-col gap-2 p-4">
      <Skeleton width="60%" />
      <Skeleton width="45%" />
      <Skeleton width="52%" />
    </div>
  );
}

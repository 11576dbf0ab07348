import type { ReactElement } from "react";
import type { Node, NodeSnapshot } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { describeProgress } from "@/components/progress";
import { StateIcon } from "@/components/StateIcon";
import { StateLabel } from "@/components/StateLabel";
import { useEditor } from "@/plan/editor";
import { KindIcon } from "@/plan/KindIcon";
import { displayTitle, nodeStateAppearance, stateReason } from "@/plan/nodeText";
import { useStateHistory } from "@/plan/useStateHistory";
import { attemptBars } from "@/run/attemptBars";
import { runAtMoment, type ShownRun } from "@/run/runAtMoment";
import type { StateHistory } from "@/run/stateHistory";

/**
 * The panel on the right during a replay: the history of the selected node up to the moment and
 * after it.
 */
export function PastNodePanel({ run }: { run: ShownRun }): ReactElement {
  const { stateHistory } = useStateHistory();
  const node = useEditor(({ selection, plan: { nodes } }) =>
    selection.size === 1 ? nodes.find(({ id }) => selection.has(id)) : undefined,
  );
  return (
    <aside
      aria-label="Run at this moment"
      className="flex min-h-0 flex-1 flex-col overflow-auto bg-surface"
    >
      {node ? (
        <OneNode key={node.id} node={node} run={run} stateHistory={stateHistory} />
      ) : (
        <div className="flex flex-col gap-2 p-4">
          <h2 className="font-semibold">Run at this moment</h2>
          <p className="text-muted">{describeProgress(run.summary.progress)}</p>
          <p className="text-12 text-faint">
            Select a node to see its history. The blueprint shown is the version that this run
            executes. Go back to now to edit the blueprint.
          </p>
        </div>
      )}
    </aside>
  );
}

function OneNode({
  node,
  run,
  stateHistory,
}: {
  node: Node;
  run: ShownRun;
  stateHistory: StateHistory;
}): ReactElement {
  const nodeRun = run.nodes.find((candidate) => candidate.node === node.id);
  const place = stateHistory.nodes.indexOf(node.id);
  const reason = nodeRun && stateReason(nodeRun.state, titleIn(run));
  const worked = nodeRun?.times.elapsedMs
    ? nodeRun.times.workedMs
    : workedMsUntil(stateHistory, place, run.past?.at ?? 0);
  return (
    <>
      <header className="flex shrink-0 flex-col gap-1 border-b px-4 py-2">
        <div className="flex items-center gap-2">
          <KindIcon kind={node.kind.kind} />
          <h2 dir="auto" title={node.title} className="min-w-0 flex-1 truncate font-semibold">
            {displayTitle(node.title)}
          </h2>
          {nodeRun && <StateLabel {...nodeStateAppearance(nodeRun)} pill />}
        </div>
        {reason && (
          <p dir="auto" className="select-text break-words text-12 text-muted">
            {reason}
          </p>
        )}
        <p className="text-12 text-faint tabular-nums">
          {nodeRun && nodeRun.attempt > 0
            ? `Attempt ${nodeRun.attempt} · worked ${formatElapsed(worked ?? Number.NaN)} so far`
            : "Not started yet"}
        </p>
      </header>
      <History run={run} stateHistory={stateHistory} place={place} />
    </>
  );
}

/** The history of the node over the whole run; each entry seeks to its moment. */
function History({
  run,
  stateHistory,
  place,
}: {
  run: ShownRun;
  stateHistory: StateHistory;
  place: number;
}): ReactElement {
  const liveRun = useEditor((state) => state.liveRun);
  const showPastMoment = useEditor((state) => state.showPastMoment);
  const track = stateHistory.tracks[place];
  const begun = stateHistory.moments[0]?.at ?? 0;
  if (!track || track.indexes.length === 0)
    return <p className="p-4 text-12 text-faint">Nothing happened to this node in this run.</p>;
  return (
    <ol aria-label="Node history" className="flex flex-col py-1">
      {track.moments.map((snapshot, step) => {
        const index = track.indexes[step] ?? 0;
        const at = stateHistory.moments[index]?.at ?? 0;
        const isReached = index <= (run.past?.index ?? 0);
        return (
          <li key={index}>
            <button
              type="button"
              aria-current={index === run.past?.index ? "step" : undefined}
              onClick={() => liveRun && showPastMoment(runAtMoment(liveRun, stateHistory, index))}
              className={`flex h-7 w-full items-center gap-2 px-4 text-left text-12 hover:bg-hover aria-[current]:bg-accent-tint ${isReached ? "" : "opacity-60"}`}
            >
              <span className="w-20 shrink-0 text-right text-faint tabular-nums">
                {formatElapsed(at - begun)}
              </span>
              <StateIcon {...appearanceOf(snapshot)} decorative size="small" />
              <span dir="auto" className="truncate">
                {nodeMomentText(snapshot, titleIn(run))}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function titleIn(run: ShownRun): (id: string) => string {
  return (id) => displayTitle(run.plan.nodes.find((other) => other.id === id)?.title ?? "");
}

function appearanceOf({ state, stale, unverified }: NodeSnapshot) {
  return nodeStateAppearance({ state, stale, unverified });
}

function nodeMomentText(snapshot: NodeSnapshot, titleOf: (id: string) => string): string {
  const { state, attempt } = snapshot;
  const reason = stateReason(state, titleOf);
  const word = state.state.charAt(0).toUpperCase() + state.state.slice(1);
  const which = state.state === "running" && attempt > 1 ? `, attempt ${attempt}` : "";
  return reason ? `${word}${which}: ${reason}` : `${word}${which}`;
}

/** Returns how long the node's sessions had worked until a moment, in milliseconds. */
function workedMsUntil(stateHistory: StateHistory, place: number, until: number): number {
  const work = attemptBars(stateHistory, place).flatMap(({ segments }) => segments);
  return work
    .filter(({ kind, from }) => kind === "work" && from < until)
    .reduce((sum, { from, to }) => sum + Math.min(to ?? until, until) - from, 0);
}

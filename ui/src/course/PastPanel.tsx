import type { ReactElement } from "react";
import type { Node, NodeMoment } from "@/api/bindings";
import { formatElapsed } from "@/components/duration";
import { progressWords } from "@/components/progress";
import { StateIcon } from "@/components/StateIcon";
import { StateLabel } from "@/components/StateLabel";
import { useEditor } from "@/plan/editor";
import { KindIcon } from "@/plan/KindIcon";
import { lookOf, stateReason, titleWords } from "@/plan/nodeWords";
import { useCourse } from "@/plan/useCourse";
import { barsOf } from "@/run/bars";
import type { Course } from "@/run/course";
import { runAt, type ShownRun } from "@/run/pastRun";

/** The panel at the right while the past is looked at: what had happened to the selected node, and what came after. */
export function PastPanel({ run }: { run: ShownRun }): ReactElement {
  const { course } = useCourse();
  const node = useEditor(({ selection, plan: { nodes } }) =>
    selection.size === 1 ? nodes.find(({ id }) => selection.has(id)) : undefined,
  );
  return (
    <aside
      aria-label="The run as it was"
      className="flex min-h-0 flex-1 flex-col overflow-auto bg-surface"
    >
      {node ? (
        <OneNode key={node.id} node={node} run={run} course={course} />
      ) : (
        <div className="flex flex-col gap-2 p-4">
          <h2 className="font-semibold">The run as it was</h2>
          <p className="text-muted">{progressWords(run.summary.progress)}</p>
          <p className="text-12 text-faint">
            Select a node to see what had happened to it. The plan is the version that this run
            executes; it is edited when you are back to now.
          </p>
        </div>
      )}
    </aside>
  );
}

function OneNode({
  node,
  run,
  course,
}: {
  node: Node;
  run: ShownRun;
  course: Course;
}): ReactElement {
  const nodeRun = run.nodes.find((candidate) => candidate.node === node.id);
  const place = course.nodes.indexOf(node.id);
  const reason = nodeRun && stateReason(nodeRun.state, titleIn(run));
  const worked = workedUntil(course, place, run.past?.at ?? 0);
  return (
    <>
      <header className="flex shrink-0 flex-col gap-1 border-b px-4 py-2">
        <div className="flex items-center gap-2">
          <KindIcon kind={node.kind.kind} />
          <h2 dir="auto" title={node.title} className="min-w-0 flex-1 truncate font-semibold">
            {titleWords(node.title)}
          </h2>
          {nodeRun && <StateLabel {...lookOf(nodeRun)} pill />}
        </div>
        {reason && (
          <p dir="auto" className="select-text break-words text-12 text-muted">
            {reason}
          </p>
        )}
        <p className="text-12 text-faint tabular-nums">
          {nodeRun && nodeRun.attempt > 0
            ? `Attempt ${nodeRun.attempt} · worked ${formatElapsed(worked)} until then`
            : "Nothing had begun"}
        </p>
      </header>
      <History run={run} course={course} place={place} />
    </>
  );
}

/** What happened to the node over the whole run; each line goes to its moment. */
function History({
  run,
  course,
  place,
}: {
  run: ShownRun;
  course: Course;
  place: number;
}): ReactElement {
  const live = useEditor((state) => state.live);
  const lookBack = useEditor((state) => state.lookBack);
  const track = course.tracks[place];
  const begun = course.moments[0]?.at ?? 0;
  if (!track || track.indexes.length === 0)
    return <p className="p-4 text-12 text-faint">Nothing happened to it in this run.</p>;
  return (
    <ol aria-label="What happened to it" className="flex flex-col py-1">
      {track.standings.map((standing, step) => {
        const index = track.indexes[step] ?? 0;
        const at = course.moments[index]?.at ?? 0;
        const isPast = index <= (run.past?.index ?? 0);
        return (
          <li key={index}>
            <button
              type="button"
              aria-current={index === run.past?.index ? "step" : undefined}
              onClick={() => live && lookBack(runAt(live, course, index))}
              className={`flex h-7 w-full items-center gap-2 px-4 text-left text-12 hover:bg-hover aria-[current]:bg-accent-tint ${isPast ? "" : "opacity-60"}`}
            >
              <span className="w-20 shrink-0 text-right text-faint tabular-nums">
                {formatElapsed(at - begun)}
              </span>
              <StateIcon {...lookOfMoment(standing)} decorative size="small" />
              <span dir="auto" className="truncate">
                {wordsOf(standing, titleIn(run))}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function titleIn(run: ShownRun): (id: string) => string {
  return (id) => titleWords(run.plan.nodes.find((other) => other.id === id)?.title ?? "");
}

function lookOfMoment({ state, stale, unverified }: NodeMoment) {
  return lookOf({ state, stale, unverified });
}

function wordsOf(standing: NodeMoment, titleOf: (id: string) => string): string {
  const { state, attempt } = standing;
  const reason = stateReason(state, titleOf);
  const word = state.state.charAt(0).toUpperCase() + state.state.slice(1);
  const which = state.state === "running" && attempt > 1 ? `, attempt ${attempt}` : "";
  return reason ? `${word}${which}: ${reason}` : `${word}${which}`;
}

/** How long its sessions had worked until a moment, in milliseconds. */
function workedUntil(course: Course, place: number, until: number): number {
  const work = barsOf(course, place).flatMap(({ stretches }) => stretches);
  return work
    .filter(({ going, from }) => going === "work" && from < until)
    .reduce((sum, { from, to }) => sum + Math.min(to ?? until, until) - from, 0);
}

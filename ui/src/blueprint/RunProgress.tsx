import { Pin } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { classes } from "@/components/classes";
import { Duration } from "@/components/Duration";
import { formatCount } from "@/components/formatCount";
import { formatCost } from "@/components/formatUsage";
import { ProgressSegments } from "@/components/ProgressSegments";
import { RunStateLabel } from "@/components/RunStateLabel";
import { summarizeRunStatus } from "@/components/runStatus";
import { StateLabel } from "@/components/StateLabel";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { nodeStateAppearance } from "@/plan/nodeText";
import { pinnedOutputsLabel } from "@/plan/pinnedOutputText";
import { failedNodes, progressCount, runPhase, unverifiedText } from "@/plan/runStatus";
import { reportedCost } from "@/run/nodeCosts";
import { useRunNavigation } from "./useRunNavigation";

/**
 * The state and progress of the shown run. `short` shows only the state. Each part leads to what it
 * is about.
 */
export function RunProgress({ short = false }: { short?: boolean }): ReactElement | null {
  const { page } = useBlueprint();
  const summary = useEditor((state) => state.run?.summary);
  const past = useEditor((state) => state.run?.past?.at);
  // In a narrow window, the button for stale nodes takes the place of the bar. The count is still
  // shown.
  const crowded = useEditor((state) => state.run?.nodes.some(({ stale }) => stale) ?? false);
  const doubts = useEditor((state) => unverifiedText(state.run));
  const cost = useEditor((state) => reportedCost(state.run?.nodes ?? []));
  const navigation = useRunNavigation();
  if (!summary) return null;
  if (short) return <RunStateButton />;
  const { startedAt, progress } = summary;
  const endedAt = summary.endedAt ?? past ?? null;
  return (
    <div className="flex min-w-0 items-center gap-2.5 text-12 text-muted">
      <RunStateButton />
      {summary.pinnedNodes !== undefined && (
        <span
          title={`${formatCount(summary.pinnedNodes, "node")} used a pinned output instead of running`}
          className="flex shrink-0 items-center gap-1 text-accent-fg"
        >
          <Pin aria-hidden="true" className="size-3" />
          {pinnedOutputsLabel}
        </span>
      )}
      <div
        className={classes(
          "w-28 min-w-12 shrink max-[1180px]:w-14",
          crowded && "max-[1180px]:hidden",
        )}
      >
        <ProgressSegments states={progress} onOpen={navigation.showState} />
      </div>
      <span className="whitespace-nowrap tabular-nums">
        <FigureButton title="Show the list of nodes" onOpen={() => page.setState({ view: "list" })}>
          {progressCount({ summary })}
        </FigureButton>
        {" · "}
        <FigureButton
          title="Elapsed, including pauses. Show the times"
          onOpen={() => page.setState({ view: "times" })}
        >
          {endedAt === null ? (
            <Duration since={startedAt} />
          ) : (
            <Duration milliseconds={Math.max(0, endedAt - startedAt)} />
          )}
        </FigureButton>
        {cost > 0 && (
          <>
            {" · "}
            <FigureButton
              title="Cost reported by agents. Show the next costliest node"
              onOpen={navigation.showCostliest}
            >
              {formatCost(cost)}
            </FigureButton>
          </>
        )}
        {doubts && (
          <>
            {" · "}
            <FigureButton
              title="Show the next node that was not confirmed"
              onOpen={navigation.showUnverified}
            >
              {doubts}
            </FigureButton>
          </>
        )}
      </span>
    </div>
  );
}

/** The state of the run. Leads to its cause: the question, the failure, or the history. */
function RunStateButton(): ReactElement | null {
  const summary = useEditor((state) => state.run?.summary);
  const orphaned = useEditor((state) => runPhase(state.run) === "orphaned");
  const asks = useEditor(
    ({ run }) =>
      run?.nodes.some((node) => nodeStateAppearance(node).waitingFor === "person") ?? false,
  );
  const hasFailed = useEditor(({ run }) => run !== undefined && failedNodes(run).length > 0);
  const navigation = useRunNavigation();
  if (!summary) return null;
  // As in the list of blueprints, waiting for a person takes precedence over running.
  if (summary.state.state === "running" && asks && !orphaned)
    return (
      <FigureButton pill title="Show the question" onOpen={navigation.showQuestion}>
        <StateLabel state="waiting" waitingFor="person" pill />
      </FigureButton>
    );
  const label = (
    <RunStateLabel {...(orphaned ? { state: "stalled" } : summarizeRunStatus(summary))} />
  );
  if (asks && !orphaned)
    return (
      <FigureButton pill title="Show the question" onOpen={navigation.showQuestion}>
        {label}
      </FigureButton>
    );
  if (hasFailed)
    return (
      <FigureButton pill title="Show the next failed node" onOpen={navigation.showFailed}>
        {label}
      </FigureButton>
    );
  if ((summary.skippedFailures ?? 0) > 0)
    return (
      <FigureButton
        pill
        title="Show the next skipped failure"
        onOpen={() => navigation.showState("failed_skipped")}
      >
        {label}
      </FigureButton>
    );
  return (
    <FigureButton pill title="Show the history of this run" onOpen={navigation.showHistory}>
      {label}
    </FigureButton>
  );
}

interface FigureButtonProps {
  /** Where it leads. */
  title: string;
  onOpen: () => void;
  pill?: boolean;
  children: ReactNode;
}

/** A figure or a state that leads to what it is about. */
function FigureButton({ title, onOpen, pill = false, children }: FigureButtonProps): ReactElement {
  return (
    <button
      type="button"
      title={title}
      onClick={onOpen}
      className={classes(
        "max-w-full",
        pill
          ? "flex min-w-0 rounded-full hover:opacity-80"
          : "rounded-small hover:text-fg hover:underline",
      )}
    >
      {children}
    </button>
  );
}

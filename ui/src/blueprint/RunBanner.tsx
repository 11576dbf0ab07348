import { AlarmClockOff, CircleAlert, CircleCheck, PlugZap } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Banner, type BannerProps } from "@/components/Banner";
import { Button } from "@/components/Button";
import { formatDuration } from "@/components/duration";
import { formatNumber } from "@/components/formatCount";
import { describeGoalProgress, isAwaitingReview, isPausedAtGoal } from "@/components/runStatus";
import { toSentence } from "@/components/toSentence";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { goToNode } from "@/plan/goToNode";
import { executorSilenceText, failedNodes, runPhase } from "@/plan/runStatus";

/**
 * Shows what is wrong with the shown run and offers fixes. Renders nothing while it runs normally.
 */
export function RunBanner(): ReactElement | null {
  // Use the summary of the last run until the run is loaded: a later banner would push the graph
  // down.
  const summary = useEditor(
    ({ run, runId, view: { lastRun } }) =>
      run?.summary ?? (lastRun?.id === runId ? lastRun : undefined),
  );
  const phase = useEditor((editor) => runPhase(editor.run));
  const silence = useEditor((editor) => editor.run && executorSilenceText(editor.run.summary));
  const stale = useEditor(({ run }) => {
    const attendance = run?.summary.attendance;
    return attendance?.where === "elsewhere" && attendance.health === "stale";
  });
  const past = useEditor((editor) => editor.run?.past !== undefined);
  if (!summary || past) return null;
  const { state, progress } = summary;

  if (silence)
    return <AbandonedRunBanner act={stale ? "Take over" : undefined}>{silence}</AbandonedRunBanner>;
  if (phase === "orphaned") {
    return (
      <AbandonedRunBanner act="Resume">
        The process that executed this run has exited. Nothing is lost: resume to continue. Sessions
        that are still running are kept.
      </AbandonedRunBanner>
    );
  }
  if (isAwaitingReview(state)) {
    return (
      <AbandonedRunBanner act="Resume">
        Another executor took over this run. See the history for what it found. Resume or stop the
        run.
      </AbandonedRunBanner>
    );
  }
  switch (state.state) {
    case "running":
      return state.ending?.kind === "time_up" ? (
        <Banner tone="warning" icon={<AlarmClockOff />}>
          The run reached its limit of {formatDuration(state.ending.limitMs)}. Running nodes are
          being stopped, then the run fails.
        </Banner>
      ) : null;
    case "failed":
      return <FailureBanner tone="danger" message={state.message} />;
    case "stalled":
      return <FailureBanner tone="warning" message={state.message} />;
    case "replanning":
      return <FailureBanner tone="warning" message={state.before.message} planned />;
    case "paused":
      return isPausedAtGoal(state) ? (
        <Banner tone="calm" icon={<CircleCheck />}>
          {`${describeGoalProgress(progress)}. Run all continues this run with the remaining nodes.`}
        </Banner>
      ) : null;
    default:
      return null;
  }
}

/**
 * For a run without a healthy executor, or one that was taken over. `act` labels the button that
 * resumes it.
 */
function AbandonedRunBanner(props: { act: string | undefined; children: ReactNode }): ReactElement {
  const { runs } = useBlueprint();
  return (
    <Banner
      tone="warning"
      icon={<PlugZap />}
      actions={
        props.act && (
          <Button size="small" onClick={() => void runs.resume()}>
            {props.act}
          </Button>
        )
      }
    >
      {props.children}
    </Banner>
  );
}

interface FailureBannerProps extends FailureActionsProps {
  tone: BannerProps["tone"];
  message: string;
}

/** Why a run failed or stalled, with actions for its failed nodes. */
function FailureBanner({ tone, message, ...acts }: FailureBannerProps): ReactElement {
  return (
    <Banner tone={tone} icon={<CircleAlert />} actions={<FailureActions {...acts} />}>
      <FailureText>{toSentence(message)}</FailureText>
    </Banner>
  );
}

/** The message, which leads to the output of the first failed node. */
function FailureText({ children }: { children: string }): ReactElement {
  const blueprint = useBlueprint();
  const first = useEditor(({ run }) => run && failedNodes(run)[0]);
  // A message that lists many nodes must not push the page content away.
  if (first === undefined)
    return (
      <p title={children} className="line-clamp-3">
        {children}
      </p>
    );
  return (
    <button
      type="button"
      title={`${children}\nShow the output of the failed node`}
      className="line-clamp-3 text-left hover:underline"
      onClick={() => {
        goToNode(blueprint, first);
        blueprint.page.setState({ drawerOpen: true, drawerTab: "timeline" });
      }}
    >
      {children}
    </button>
  );
}

interface FailureActionsProps {
  /** Replanning was already requested. */
  planned?: boolean;
}

/** Buttons to show, replan and retry failed nodes. */
function FailureActions({ planned = false }: FailureActionsProps): ReactElement | null {
  const { editor, page, runs } = useBlueprint();
  const run = useEditor((state) => state.run);
  const failed = run ? failedNodes(run) : [];
  const [first] = failed;
  if (!first) return null;

  return (
    <>
      <Button
        size="small"
        onClick={() => {
          editor.getState().select(failed);
          page.getState().canvas?.reveal(first);
        }}
      >
        {failed.length === 1
          ? "Show failed node"
          : `Show ${formatNumber(failed.length)} failed nodes`}
      </Button>
      {run && !planned && (
        <Button
          size="small"
          onClick={() =>
            page.setState({
              plannerRequest: {
                ask: "replan",
                run: run.summary.id,
                node: failed.length === 1 ? first : null,
                title: run.plan.title || "Untitled",
              },
            })
          }
        >
          Replan
        </Button>
      )}
      <Button
        size="small"
        title="Runs the failed nodes again, after showing what that is and what it cost"
        onClick={() => runs.askToRerun("failed")}
      >
        Rerun failed
      </Button>
    </>
  );
}

import { AlarmClockOff, CircleAlert, CircleCheck, PlugZap } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Banner, type BannerProps } from "@/components/Banner";
import { Button } from "@/components/Button";
import { formatDuration } from "@/components/duration";
import { formatNumber } from "@/components/formatCount";
import { goalWords, restsAtGoal, waitsForReview } from "@/components/runStanding";
import { asSentence } from "@/components/sentence";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { failedNodes, phaseOf, silenceWords } from "@/plan/runFacts";

/** What stands in the way of the shown run, and what to do about it; nothing while all goes well. */
export function RunBanner(): ReactElement | null {
  // What is known of the last run before it was read: a banner that came later would push the graph away.
  const summary = useEditor(
    ({ run, runId, view: { lastRun } }) =>
      run?.summary ?? (lastRun?.id === runId ? lastRun : undefined),
  );
  const phase = useEditor((editor) => phaseOf(editor.run));
  const silence = useEditor((editor) => editor.run && silenceWords(editor.run.summary));
  const stale = useEditor(({ run }) => {
    const attendance = run?.summary.attendance;
    return attendance?.where === "elsewhere" && attendance.health === "stale";
  });
  const past = useEditor((editor) => editor.run?.past !== undefined);
  if (!summary || past) return null;
  const { state, progress } = summary;

  if (silence) return <Abandoned act={stale ? "Take over" : undefined}>{silence}</Abandoned>;
  if (phase === "orphaned") {
    return (
      <Abandoned act="Resume">
        The program that carried this run out has ended. Nothing is lost: resume to take the run up
        again. Sessions that still live are kept.
      </Abandoned>
    );
  }
  if (waitsForReview(state)) {
    return (
      <Abandoned act="Resume">
        Another executor took this run over. Its history shows what was found. Resume the run, or
        stop it.
      </Abandoned>
    );
  }
  switch (state.state) {
    case "running":
      return state.ending?.kind === "time_up" ? (
        <Banner tone="warning" icon={<AlarmClockOff />}>
          The run reached its limit of {formatDuration(state.ending.limitMs)}. What still runs is
          being stopped; then the run fails.
        </Banner>
      ) : null;
    case "failed":
      return <Trouble tone="danger" message={state.message} />;
    case "stalled":
      return <Trouble tone="warning" message={state.message} />;
    case "replanning":
      return <Trouble tone="warning" message={state.before.message} planned />;
    case "paused":
      return restsAtGoal(state) ? (
        <Banner tone="calm" icon={<CircleCheck />}>
          {`${goalWords(progress)}. Run all continues this run with the others.`}
        </Banner>
      ) : null;
    default:
      return null;
  }
}

/** A run that nobody carries out, or that somebody else did. `act` takes it up. */
function Abandoned(props: { act: string | undefined; children: ReactNode }): ReactElement {
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

interface TroubleProps extends FailedActsProps {
  tone: BannerProps["tone"];
  message: string;
}

/** Why a run ended or rests, with what can be done about its failed nodes. */
function Trouble({ tone, message, ...acts }: TroubleProps): ReactElement {
  return (
    <Banner tone={tone} icon={<CircleAlert />} actions={<FailedActs {...acts} />}>
      {asSentence(message)}
    </Banner>
  );
}

interface FailedActsProps {
  /** A new plan was asked for already. */
  planned?: boolean;
}

/** Shows the failed nodes and tries them again; a new plan is asked for once. */
function FailedActs({ planned = false }: FailedActsProps): ReactElement | null {
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
              order: {
                ask: "replan",
                run: run.summary.id,
                node: failed.length === 1 ? first : null,
                title: run.plan.title || "Untitled",
              },
            })
          }
        >
          Plan anew
        </Button>
      )}
      <Button
        size="small"
        onClick={() => void Promise.all(failed.map((node) => runs.node("retry", node)))}
      >
        Retry
      </Button>
    </>
  );
}

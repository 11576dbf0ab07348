import { AlarmClockOff, CircleAlert, CircleCheck, PlugZap } from "lucide-react";
import type { ReactElement } from "react";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { numberWords } from "@/components/countWords";
import { formatDuration } from "@/components/duration";
import { goalWords, restsAtGoal, waitsForReview } from "@/components/runStanding";
import { asSentence } from "@/components/sentence";
import { useBlueprint } from "./blueprintContext";
import { useEditor } from "./editor";
import { failedNodes, phaseOf, silenceWords } from "./runFacts";

/** What stands in the way of the shown run, and what to do about it; nothing while all goes well. */
export function RunBanner(): ReactElement | null {
  // What is known of the last run before it was read: a banner that came later would push the graph away.
  const state = useEditor(
    ({ run, runId, view: { lastRun } }) =>
      run?.summary.state ?? (lastRun?.id === runId ? lastRun?.state : undefined),
  );
  const progress = useEditor(
    ({ run, runId, view: { lastRun } }) =>
      run?.summary.progress ?? (lastRun?.id === runId ? lastRun?.progress : undefined),
  );
  const phase = useEditor((editor) => phaseOf(editor.run));
  const silence = useEditor((editor) => editor.run && silenceWords(editor.run.summary));
  const stale = useEditor(({ run }) => {
    const attendance = run?.summary.attendance;
    return attendance?.where === "elsewhere" && attendance.health === "stale";
  });
  const past = useEditor((editor) => editor.run?.past !== undefined);
  const { runs } = useBlueprint();
  if (!state || past) return null;

  if (silence) {
    return (
      <Banner
        tone="warning"
        icon={<PlugZap />}
        actions={
          stale && (
            <Button size="small" onClick={() => void runs.resume()}>
              Take over
            </Button>
          )
        }
      >
        {silence}
      </Banner>
    );
  }

  if (phase === "orphaned") {
    return (
      <Banner
        tone="warning"
        icon={<PlugZap />}
        actions={
          <Button size="small" onClick={() => void runs.resume()}>
            Resume
          </Button>
        }
      >
        The program that carried this run out has ended. Nothing is lost: resume to take the run up
        again. Sessions that still live are kept.
      </Banner>
    );
  }
  if (waitsForReview(state)) {
    return (
      <Banner
        tone="warning"
        icon={<PlugZap />}
        actions={
          <Button size="small" onClick={() => void runs.resume()}>
            Resume
          </Button>
        }
      >
        Another executor took this run over. Its history shows what was found. Resume the run, or
        stop it.
      </Banner>
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
      return (
        <Banner tone="danger" icon={<CircleAlert />} actions={<FailedActs />}>
          {asSentence(state.message)}
        </Banner>
      );
    case "stalled":
      return (
        <Banner tone="warning" icon={<CircleAlert />} actions={<FailedActs />}>
          {asSentence(state.message)}
        </Banner>
      );
    case "replanning":
      return (
        <Banner tone="warning" icon={<CircleAlert />} actions={<FailedActs planned />}>
          {asSentence(state.before.message)}
        </Banner>
      );
    case "paused":
      return restsAtGoal(state) ? (
        <Banner tone="calm" icon={<CircleCheck />}>
          {progress && `${goalWords(progress)}. `}
          Run all continues this run with the others.
        </Banner>
      ) : null;
    default:
      return null;
  }
}

/** Shows the failed nodes and tries them again; a new plan is asked for once. */
function FailedActs({ planned = false }: { planned?: boolean }): ReactElement | null {
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
          : `Show ${numberWords(failed.length)} failed nodes`}
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

import type { ReactElement } from "react";
import { classes } from "@/components/classes";
import { Duration } from "@/components/Duration";
import { ProgressSegments } from "@/components/ProgressSegments";
import { RunStateLabel } from "@/components/RunStateLabel";
import { summarizeRunStatus } from "@/components/runStatus";
import { StateLabel } from "@/components/StateLabel";
import { useEditor } from "@/plan/editor";
import { nodeStateAppearance } from "@/plan/nodeText";
import { progressCount, runPhase, unverifiedText } from "@/plan/runStatus";

/** The state and progress of the shown run. `short` shows only the state. */
export function RunProgress({ short = false }: { short?: boolean }): ReactElement | null {
  const summary = useEditor((state) => state.run?.summary);
  const past = useEditor((state) => state.run?.past?.at);
  const orphaned = useEditor((state) => runPhase(state.run) === "orphaned");
  const asks = useEditor(
    ({ run }) =>
      run?.nodes.some((node) => nodeStateAppearance(node).waitingFor === "person") ?? false,
  );
  // In a narrow window, the button for stale nodes takes the place of the bar. The count is still
  // shown.
  const crowded = useEditor((state) => state.run?.nodes.some(({ stale }) => stale) ?? false);
  const doubts = useEditor((state) => unverifiedText(state.run));
  if (!summary) return null;
  const { state, startedAt, progress } = summary;
  const endedAt = summary.endedAt ?? past ?? null;
  // As in the list of blueprints, waiting for a person takes precedence over running.
  const label =
    state.state === "running" && asks && !orphaned ? (
      <StateLabel state="waiting" waitingFor="person" pill />
    ) : (
      <RunStateLabel {...(orphaned ? { state: "stalled" } : summarizeRunStatus(summary))} />
    );
  if (short) return label;
  return (
    <div className="flex min-w-0 items-center gap-2.5 text-12 text-muted">
      {label}
      <div
        className={classes(
          "w-28 min-w-12 shrink max-[1180px]:w-14",
          crowded && "max-[1180px]:hidden",
        )}
      >
        <ProgressSegments states={progress} />
      </div>
      <span className="whitespace-nowrap tabular-nums">
        {progressCount({ summary })} ·{" "}
        {endedAt === null ? (
          <Duration since={startedAt} />
        ) : (
          <Duration milliseconds={endedAt - startedAt} />
        )}
        {doubts && ` · ${doubts}`}
      </span>
    </div>
  );
}

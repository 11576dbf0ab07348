import { FastForward } from "lucide-react";
import { type ReactElement, useDeferredValue, useMemo } from "react";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { useBlueprint } from "@/plan/blueprintContext";
import { changesSinceRun, changesSinceRunText } from "@/plan/changesSinceRun";
import { useEditor } from "@/plan/editor";
import { runPhase } from "@/plan/runStatus";

/**
 * Shown while a run is active and the plan has been edited since: names the version that the run
 * executes.
 */
export function ChangesSinceRunBanner(): ReactElement | null {
  const { editor, page } = useBlueprint();
  const living = useEditor((state) => runPhase(state.run) !== "idle");
  const version = useEditor((state) => state.run?.summary.version);
  const executed = useEditor((state) => state.run?.plan);
  const plan = useDeferredValue(useEditor((state) => state.plan));
  // An unedited plan equals its saved version, so there is no need to compare thousands of nodes.
  const edited = useEditor((state) => state.dirty || state.view.version !== version);
  const since = useMemo(
    () => (living && edited && executed ? changesSinceRun(plan, executed) : undefined),
    [living, edited, executed, plan],
  );
  if (!since) return null;
  const nodes = [...since.changed, ...since.added];
  const [first] = nodes;

  return (
    <Banner
      tone="calm"
      icon={<FastForward />}
      actions={
        first && (
          <Button
            size="small"
            onClick={() => {
              editor.getState().select(nodes);
              page.getState().canvas?.show(first);
            }}
          >
            Show changed nodes
          </Button>
        )
      }
    >
      This run uses version {version}. Edits since then take effect in the next run:{" "}
      {changesSinceRunText(since)}.
    </Banner>
  );
}

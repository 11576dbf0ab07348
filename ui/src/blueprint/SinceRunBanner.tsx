import { FastForward } from "lucide-react";
import { type ReactElement, useDeferredValue, useMemo } from "react";
import { Banner } from "@/components/Banner";
import { Button } from "@/components/Button";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { phaseOf } from "@/plan/runFacts";
import { sinceRun, sinceWords } from "@/plan/sinceRun";

/** While a run goes on and the plan is another one by now: which version the run executes, and when the edits count. */
export function SinceRunBanner(): ReactElement | null {
  const { editor, page } = useBlueprint();
  const living = useEditor((state) => phaseOf(state.run) !== "idle");
  const version = useEditor((state) => state.run?.summary.version);
  const executed = useEditor((state) => state.run?.plan);
  const plan = useDeferredValue(useEditor((state) => state.plan));
  // What nobody has edited is what was saved as that version: to compare thousands of nodes would tell nothing else.
  const edited = useEditor((state) => state.dirty || state.view.version !== version);
  const since = useMemo(
    () => (living && edited && executed ? sinceRun(plan, executed) : undefined),
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
      This run executes version {version} to its end. What was edited since takes effect in the next
      run: {sinceWords(since)}.
    </Banner>
  );
}

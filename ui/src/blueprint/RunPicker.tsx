import { ChevronDown, History } from "lucide-react";
import type { ReactElement } from "react";
import { useNavigate } from "react-router";
import { useOperation } from "@/api/queries";
import { Button } from "@/components/Button";
import { Menu } from "@/components/Menu";
import { runStateLabel } from "@/components/RunStateLabel";
import { formatPastTime } from "@/components/time";
import { useNow } from "@/components/useNow";
import { useBlueprint } from "@/plan/blueprintContext";
import { useEditor } from "@/plan/editor";
import { paths } from "@/shell/paths";

const maxRuns = 20;
const minute = 60_000;

/** Chooses the run that the page shows. An earlier run opens in replay. */
export function RunPicker(): ReactElement | null {
  const { editor, page } = useBlueprint();
  const plan = useEditor((state) => state.plan.id);
  const shown = useEditor((state) => state.runId);
  const latest = useEditor((state) => state.view.lastRun?.id);
  const { data: runs } = useOperation("runs_list", { plan, limit: maxRuns });
  const now = useNow(minute);
  const navigate = useNavigate();
  if (!runs || runs.length === 0) return null;

  return (
    <Menu
      align="end"
      entries={[
        { kind: "heading", label: "Show run" },
        ...runs.map((run) => ({
          kind: "choice" as const,
          label: `#${run.number} · ${formatPastTime(run.startedAt, now)} · v${run.version} · ${runStateLabel(run.state.state).toLowerCase()}${run.pinnedNodes === undefined ? "" : " · pinned outputs"}`,
          chosen: run.id === shown,
          onSelect: () => {
            editor.getState().showRun(run.id);
            // An earlier run is shown with its own version of the plan.
            page.setState({ playbackOpen: run.id !== latest });
          },
        })),
        {
          kind: "act",
          label: "All runs…",
          onSelect: () => void navigate(paths.runsOf(plan)),
        },
        { kind: "line" },
        {
          kind: "choice",
          label: "Blueprint only",
          chosen: shown === undefined,
          onSelect: () => {
            page.setState({ playbackOpen: false });
            editor.getState().showRun(undefined);
          },
        },
      ]}
    >
      <Button size="small" kind="ghost">
        <History />
        {shown === undefined ? "No run shown" : shown === latest ? "Latest run" : "Earlier run"}
        <ChevronDown aria-hidden="true" className="size-3!" />
      </Button>
    </Menu>
  );
}

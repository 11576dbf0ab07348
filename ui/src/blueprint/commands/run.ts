import { ApiError } from "@/api/ApiError";
import type { NodeStatus, RunSummary } from "@/api/bindings";
import type { runCommands } from "@/commands/catalog/run";
import type { Choice, HandlersFor } from "@/commands/command";
import { countStates, nodeStateKey, showStateLabel } from "@/components/progress";
import { runStateLabel } from "@/components/RunStateLabel";
import { formatPastTime } from "@/components/time";
import { showToast } from "@/components/toasts";
import type { Blueprint } from "@/plan/blueprintContext";
import { goToNode, goToState, neighborOfSelected } from "@/plan/goToNode";
import { hasEnded } from "@/plan/nodeActions";
import { createPlanAccess } from "@/plan/planAccess";
import { runProblems } from "@/plan/runProblems";
import { failedNodes, type RunPhase, runPhase } from "@/plan/runStatus";
import { staleNodes } from "@/plan/staleNodes";
import type { CommandContext } from "./commandContext";
import { onSelected } from "./node";

const endable: readonly RunPhase[] = [
  "running",
  "pausing",
  "aborting",
  "paused",
  "stalled",
  "orphaned",
];
const resumable: readonly RunPhase[] = ["pausing", "paused", "stalled", "orphaned"];
/** The maximum number of runs to choose from, newest first. */
const maxRuns = 50;

/** Handlers that start, control and show runs. */
export function runHandlers(
  blueprint: Blueprint,
  { backend }: CommandContext,
): HandlersFor<typeof runCommands> {
  const { editor, page, runs } = blueprint;
  const unless = (phases: readonly RunPhase[], refusal: string) => () =>
    phases.includes(runPhase(editor.getState().run)) ? undefined : refusal;
  const noRun = () => (editor.getState().run ? undefined : "No run is shown");
  const failed = () => {
    const { run } = editor.getState();
    return run ? failedNodes(run) : [];
  };
  const noneFailed = () => noRun() ?? (failed().length === 0 ? "No node failed" : undefined);
  const selected = onSelected(blueprint, "run");
  return {
    run: {
      refusal: () => nothingToRun(blueprint),
      run: () => runs.askToStart([{ want: "all" }]),
    },
    run_next: {
      refusal: () => nothingToRun(blueprint),
      run: () => runs.askToStart([{ want: "next" }]),
    },
    run_selected: {
      ...selected,
      refusal: () => nothingToRun(blueprint) ?? selected.refusal?.(),
    },
    run_pinned: {
      refusal: () => runPinnedRefusal(blueprint),
      run: () => page.setState({ runPinnedOpen: true }),
    },
    check_plan: {
      refusal: () => nothingToRun(blueprint) ?? runInProgressRefusal(blueprint),
      run: () => runs.check(),
    },
    simulate: {
      refusal: () => nothingToRun(blueprint),
      run: () => page.setState({ simulating: true }),
    },
    approve: {
      refusal: () =>
        editor.getState().view.review === "approved"
          ? "This version is already approved"
          : nothingToRun(blueprint),
      run: () => runs.requestApproval(),
    },
    reject_plan: {
      refusal: () =>
        ["proposed", "needs_review"].includes(editor.getState().view.review)
          ? undefined
          : "The blueprint doesn't wait for review",
      run: () => page.setState({ rejecting: true }),
    },
    pause: {
      refusal: unless(["running"], "Nothing is running"),
      choices: () => pauseChoices(blueprint),
    },
    resume: { refusal: unless(resumable, "No run to resume"), run: () => runs.resume() },
    stop: {
      refusal: unless(endable, "Nothing is running"),
      run: () => page.setState({ stopping: true }),
    },
    show_run: {
      choices: async () => {
        const plan = editor.getState().plan.id;
        const known = await backend.call("runs_list", { plan, limit: maxRuns });
        return [...known.map((run) => shownRun(blueprint, run)), noRunShown(blueprint)];
      },
    },
    show_failed: {
      refusal: noneFailed,
      run: () => {
        const nodes = failed();
        editor.getState().select(nodes);
        if (nodes[0]) page.getState().canvas?.reveal(nodes[0]);
      },
    },
    next_problem: { run: () => goToProblem(blueprint, 1) },
    previous_problem: { run: () => goToProblem(blueprint, -1) },
    show_state: { refusal: noRun, choices: () => stateChoices(blueprint) },
    retry_failed: {
      refusal: noneFailed,
      run: () => runs.askToRerun("failed"),
    },
    rerun_stale: {
      refusal: () => {
        const { run } = editor.getState();
        if (!run) return "No run is shown";
        return staleNodes(run).length === 0 ? "No node is stale" : undefined;
      },
      run: () => runs.askToRerun("stale"),
    },
    replan: { refusal: () => replanRefusal(blueprint), run: () => requestReplan(blueprint) },
    checkpoints: { refusal: noRun, run: () => page.setState({ checkpointsOpen: true }) },
    bring_home: { refusal: noRun, run: () => page.setState({ mergeBackOpen: true }) },
    open_pull_request: {
      refusal: () => noRun() ?? activeRunRefusal(blueprint),
      run: () => page.setState({ pullRequestOpen: true }),
    },
    export_run: { refusal: noRun, run: () => exportRun(blueprint, backend) },
  };
}

/** Saves the shown run as one HTML file where the save dialog says. */
async function exportRun({ editor }: Blueprint, backend: CommandContext["backend"]): Promise<void> {
  const { plan, run } = editor.getState();
  if (!run) return;
  try {
    const file = await backend.call("run_export", { run: run.summary.id, format: "html" });
    const kinds = [{ name: "Web page", extensions: ["html"] }];
    const suggested = { name: file.fileName, folder: plan.cwd };
    const place = await backend.saveText(suggested, file.text, kinds);
    if (place) showToast({ kind: "info", title: "Run exported", detail: place });
  } catch (cause) {
    const detail = ApiError.from(cause).message;
    showToast({ kind: "error", title: "Couldn't export the run", detail });
  }
}

/** Selects the next problem, or the previous one, and announces it. */
function goToProblem(blueprint: Blueprint, step: 1 | -1): void {
  const { editor, page } = blueprint;
  const { plan, run, problems, selection } = editor.getState();
  const { say } = createPlanAccess(editor, page);
  const found = runProblems(plan, run, problems);
  const nodes = found.map(({ node }) => node);
  const node = neighborOfSelected(nodes, selection, step);
  if (node === undefined) {
    showToast({ kind: "info", title: "No problems" });
    return;
  }
  goToNode(blueprint, node);
  const at = nodes.indexOf(node);
  say(`Problem ${at + 1} of ${found.length}: ${found[at]?.text ?? ""}`);
}

/** The states of the shown run's nodes; choosing one goes to the next node in it. */
function stateChoices({ editor, page }: Blueprint): Choice[] {
  const nodes = editor.getState().run?.nodes ?? [];
  const counts = countStates(nodes.map(({ state }) => nodeStateKey(state)));
  return (Object.keys(counts) as NodeStatus[])
    .filter((state) => counts[state] > 0)
    .map((state) => ({
      id: state,
      label: showStateLabel(state, counts[state]),
      run: () => goToState({ editor, page }, state),
    }));
}

function nothingToRun({ editor }: Blueprint): string | undefined {
  const { plan, view } = editor.getState();
  if (plan.nodes.every((node) => node.kind.kind === "note"))
    return "The blueprint has no nodes yet";
  return view.review === "cancelled" ? "The blueprint is withdrawn" : undefined;
}

/** Why no run with pinned outputs can start. Unlike other runs, it doesn't ask for approval. */
function runPinnedRefusal(blueprint: Blueprint): string | undefined {
  const { editor, page } = blueprint;
  return (
    nothingToRun(blueprint) ??
    (page.getState().pinnedOutputs.size === 0 ? "No node has a pinned output" : undefined) ??
    (editor.getState().view.review === "approved" ? undefined : "Approve the blueprint first") ??
    runInProgressRefusal(blueprint)
  );
}

function runInProgressRefusal({ editor }: Blueprint): string | undefined {
  return runPhase(editor.getState().run) === "idle" ? undefined : "A run is active";
}

/** The work of a run is complete only while none of its nodes works. */
function activeRunRefusal({ editor }: Blueprint): string | undefined {
  return ["idle", "paused", "stalled"].includes(runPhase(editor.getState().run))
    ? undefined
    : "Nodes of this run are still working";
}

function pauseChoices({ runs }: Blueprint): Choice[] {
  return [
    { id: "finish", label: "Let running nodes finish", run: () => runs.pause(false) },
    {
      id: "stop",
      label: "Stop running nodes too; they start again on resume",
      run: () => runs.pause(true),
    },
  ];
}

function shownRun(
  { editor, page }: Blueprint,
  { id, number, startedAt, version, state }: RunSummary,
): Choice {
  const shown = editor.getState().runId === id;
  return {
    id,
    label: `#${number} · ${formatPastTime(startedAt, Date.now())} · v${version} · ${runStateLabel(state.state).toLowerCase()}`,
    detail: shown ? "shown" : undefined,
    run: () => {
      editor.getState().showRun(id);
      page.setState({ playbackOpen: id !== editor.getState().view.lastRun?.id });
    },
  };
}

function noRunShown({ editor, page }: Blueprint): Choice {
  return {
    id: "none",
    label: "Blueprint only",
    run: () => {
      page.setState({ playbackOpen: false });
      editor.getState().showRun(undefined);
    },
  };
}

function replanRefusal({ editor }: Blueprint): string | undefined {
  const { run } = editor.getState();
  if (!run) return "No run is shown";
  const { state } = run.summary.state;
  if (state === "replanning") return "Replanning is already in progress";
  if (state === "completed") return "The run has finished";
  return hasEnded(run) || state === "stalled" || state === "paused"
    ? undefined
    : "The run is still active";
}

function requestReplan({ editor, page }: Blueprint): void {
  const { run } = editor.getState();
  if (!run) return;
  const [node, ...others] = failedNodes(run);
  page.setState({
    plannerRequest: {
      ask: "replan",
      run: run.summary.id,
      node: others.length === 0 ? (node ?? null) : null,
      title: run.plan.title || "Untitled",
    },
  });
}

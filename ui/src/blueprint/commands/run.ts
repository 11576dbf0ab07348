import type { RunSummary } from "@/api/bindings";
import type { runCommands } from "@/commands/catalogue/run";
import type { ActsFor, Choice } from "@/commands/command";
import { relativeTime } from "@/components/time";
import type { Blueprint } from "@/plan/blueprintContext";
import { hasEnded } from "@/plan/nodeActs";
import { failedNodes, phaseOf, type RunPhase } from "@/plan/runFacts";
import { staleNodes } from "@/plan/staleWords";
import { onSelected } from "./node";
import type { Surroundings } from "./surroundings";

const endable: readonly RunPhase[] = [
  "running",
  "pausing",
  "aborting",
  "paused",
  "stalled",
  "orphaned",
];
const resumable: readonly RunPhase[] = ["pausing", "paused", "stalled", "orphaned"];
/** How many runs there are to choose from, the latest first. */
const mostRuns = 50;

/** What is asked of a run. */
export function runActs(
  blueprint: Blueprint,
  { backend }: Surroundings,
): ActsFor<typeof runCommands> {
  const { editor, page, runs } = blueprint;
  const unless = (phases: readonly RunPhase[], refusal: string) => () =>
    phases.includes(phaseOf(editor.getState().run)) ? undefined : refusal;
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
      run: () => runs.start({ want: "all" }),
    },
    run_next: {
      refusal: () => nothingToRun(blueprint),
      run: () => runs.start({ want: "next" }),
    },
    run_selected: {
      ...selected,
      refusal: () => nothingToRun(blueprint) ?? selected.refusal?.(),
    },
    check_plan: {
      refusal: () => nothingToRun(blueprint) ?? goesOn(blueprint),
      run: () => runs.check(),
    },
    approve: {
      refusal: () =>
        editor.getState().view.review === "approved"
          ? "This version is approved already"
          : nothingToRun(blueprint),
      run: () => runs.requestApproval(),
    },
    pause: { refusal: unless(["running"], "Nothing runs"), choices: () => pauses(blueprint) },
    resume: { refusal: unless(resumable, "No run waits to go on"), run: () => runs.resume() },
    stop: {
      refusal: unless(endable, "Nothing runs"),
      run: () => page.setState({ stopping: true }),
    },
    show_run: {
      choices: async () => {
        const plan = editor.getState().plan.id;
        const known = await backend.call("runs_list", { plan, limit: mostRuns });
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
    retry_failed: {
      refusal: noneFailed,
      run: () => Promise.all(failed().map((node) => runs.node("retry", node))),
    },
    rerun_stale: {
      refusal: () => {
        const { run } = editor.getState();
        if (!run) return "No run is shown";
        return staleNodes(run).length === 0 ? "No node is stale" : undefined;
      },
      run: () => runs.rerunStale(),
    },
    replan: { refusal: () => replanRefusal(blueprint), run: () => orderReplan(blueprint) },
    checkpoints: { refusal: noRun, run: () => page.setState({ checkpoints: true }) },
    bring_home: { refusal: noRun, run: () => page.setState({ homecoming: true }) },
  };
}

function nothingToRun({ editor }: Blueprint): string | undefined {
  const { plan, view } = editor.getState();
  if (plan.nodes.every((node) => node.kind.kind === "note")) return "The plan has no nodes yet";
  return view.review === "cancelled" ? "The plan is withdrawn" : undefined;
}

function goesOn({ editor }: Blueprint): string | undefined {
  return phaseOf(editor.getState().run) === "idle" ? undefined : "A run goes on";
}

function pauses({ runs }: Blueprint): Choice[] {
  return [
    { id: "finish", words: "Let running nodes finish", run: () => runs.pause(false) },
    {
      id: "stop",
      words: "Stop running nodes too; they start again on resume",
      run: () => runs.pause(true),
    },
  ];
}

function shownRun(
  { editor, page }: Blueprint,
  { id, startedAt, version, state }: RunSummary,
): Choice {
  const shown = editor.getState().runId === id;
  return {
    id,
    words: `${relativeTime(startedAt, Date.now())} · v${version} · ${state.state}`,
    detail: shown ? "shown" : undefined,
    run: () => {
      editor.getState().showRun(id);
      page.setState({ lookingBack: id !== editor.getState().view.lastRun?.id });
    },
  };
}

function noRunShown({ editor, page }: Blueprint): Choice {
  return {
    id: "none",
    words: "No run, the plan alone",
    run: () => {
      page.setState({ lookingBack: false });
      editor.getState().showRun(undefined);
    },
  };
}

function replanRefusal({ editor }: Blueprint): string | undefined {
  const { run } = editor.getState();
  if (!run) return "No run is shown";
  const { state } = run.summary.state;
  if (state === "replanning") return "A new plan is being made already";
  if (state === "completed") return "The run came to its end";
  return hasEnded(run) || state === "stalled" || state === "paused"
    ? undefined
    : "The run still goes on";
}

function orderReplan({ editor, page }: Blueprint): void {
  const { run } = editor.getState();
  if (!run) return;
  const [node, ...others] = failedNodes(run);
  page.setState({
    order: {
      ask: "replan",
      run: run.summary.id,
      node: others.length === 0 ? (node ?? null) : null,
      title: run.plan.title || "Untitled",
    },
  });
}

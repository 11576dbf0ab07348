import type { runCommands } from "@/commands/catalogue/run";
import type { ActsFor, Choice } from "@/commands/command";
import { runsByNode } from "@/graph/toFlow";
import type { Blueprint } from "../blueprintContext";
import { actRefusal } from "../nodeActs";
import { phaseOf, type RunPhase } from "../runFacts";
import { noneSelected } from "./refusals";

const endable: readonly RunPhase[] = [
  "running",
  "pausing",
  "aborting",
  "paused",
  "stalled",
  "orphaned",
];
const resumable: readonly RunPhase[] = ["pausing", "paused", "stalled", "orphaned"];

/** What is asked of a run. */
export function runActs(blueprint: Blueprint): ActsFor<typeof runCommands> {
  const { editor, page, runs } = blueprint;
  const phase = () => phaseOf(editor.getState().run);
  const unless = (phases: readonly RunPhase[], refusal: string) => () =>
    phases.includes(phase()) ? undefined : refusal;
  const nothingToRun = () => {
    const { plan, view } = editor.getState();
    if (plan.nodes.every((node) => node.kind.kind === "note")) return "The plan has no nodes yet";
    return view.review === "cancelled" ? "The plan is withdrawn" : undefined;
  };
  return {
    run: { refusal: nothingToRun, run: () => void runs.start({ want: "all" }) },
    run_next: { refusal: nothingToRun, run: () => void runs.start({ want: "next" }) },
    run_selected: {
      refusal: () => nothingToRun() ?? noneSelected(blueprint) ?? selectionRefusal(blueprint),
      run: () => {
        for (const node of editor.getState().selection) void runs.node("run", node);
      },
    },
    approve: {
      refusal: () => {
        const { review } = editor.getState().view;
        if (review === "approved") return "This version is approved already";
        return nothingToRun();
      },
      run: () => runs.approve(),
    },
    pause: {
      refusal: unless(["running"], "Nothing runs"),
      choices: () => pauses(blueprint),
    },
    resume: {
      refusal: unless(resumable, "No run waits to go on"),
      run: () => runs.resume(),
    },
    stop: {
      refusal: unless(endable, "Nothing runs"),
      run: () => page.setState({ stopping: true }),
    },
  };
}

function pauses({ runs }: Blueprint): Choice[] {
  return [
    {
      id: "finish",
      words: "Let running nodes finish",
      run: () => void runs.pause(false),
    },
    {
      id: "stop",
      words: "Stop running nodes too; they start again on resume",
      run: () => void runs.pause(true),
    },
  ];
}

/** Why none of the selected nodes may run. A draft is approved on the way, so only what a node itself says counts. */
function selectionRefusal({ editor }: Blueprint): string | undefined {
  const { plan, run, selection } = editor.getState();
  const nodeRuns = runsByNode(run);
  const refusals = plan.nodes
    .filter(({ id }) => selection.has(id))
    .map((node) =>
      actRefusal("run", { node, review: "approved", run, nodeRun: nodeRuns.get(node.id) }),
    );
  return refusals.includes(undefined) ? undefined : refusals[0];
}

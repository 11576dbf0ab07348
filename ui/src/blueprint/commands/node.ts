import type { NodeId, SessionId } from "@/api/bindings";
import type { nodeCommands } from "@/commands/catalog/node";
import type { CommandHandler, HandlersFor } from "@/commands/command";
import { formatCount } from "@/components/formatCount";
import type { Blueprint } from "@/plan/blueprintContext";
import { type NodeAction, nodeActionRefusal } from "@/plan/nodeActions";
import { displayTitle, nodeStateAppearance } from "@/plan/nodeText";
import { canPinOutput, pinChangeFor } from "@/plan/pins";
import { isRerun } from "@/plan/rerunRequest";
import { runsByNode } from "@/run/runsByNode";
import { paths } from "@/shell/paths";
import type { CommandContext } from "./commandContext";
import { directoryHandlers } from "./directory";
import { noneSelected, singleSelectedNode } from "./refusals";

/** Handlers for the selected nodes in a run, and for planner requests about them. */
export function nodeHandlers(
  blueprint: Blueprint,
  context: CommandContext,
): HandlersFor<typeof nodeCommands> {
  const { page, editor, runs } = blueprint;
  const order = (ask: "split" | "explain"): CommandHandler => ({
    refusal: () => {
      const { node, refusal } = singleSelectedNode(blueprint);
      return node?.kind.kind === "note" ? "Notes don't run" : refusal;
    },
    run: () => {
      const { node } = singleSelectedNode(blueprint);
      const plan = editor.getState().plan.id;
      if (node)
        page.setState({
          plannerRequest: { ask, plan, node: node.id, title: displayTitle(node.title) },
        });
    },
  });
  const selectedSession = () => {
    const { node } = singleSelectedNode(blueprint);
    return node && runsByNode(editor.getState().run).get(node.id)?.session;
  };
  const withSession = (run: (session: SessionId) => void): CommandHandler => ({
    refusal: () => {
      const { node, refusal } = singleSelectedNode(blueprint);
      if (!node) return refusal;
      return selectedSession() ? undefined : "No session yet";
    },
    run: () => {
      const session = selectedSession();
      if (session) run(session);
    },
  });
  return {
    answer: {
      refusal: () => {
        const { node, refusal } = singleSelectedNode(blueprint);
        if (!node) return refusal;
        const nodeRun = runsByNode(editor.getState().run).get(node.id);
        return nodeStateAppearance(nodeRun).waitingFor === "person"
          ? undefined
          : "No question to answer";
      },
      run: () => page.setState({ answering: singleSelectedNode(blueprint).node?.id }),
    },
    pin: {
      label: () => pinLabel(pinChangeFor(editor.getState())),
      refusal: () => {
        const pinning = pinChangeFor(editor.getState());
        return "refusal" in pinning ? pinning.refusal : undefined;
      },
      run: () => runs.togglePins(),
    },
    pin_output: {
      refusal: () => pinOutputRefusal(blueprint),
      run: () => page.setState({ pinningOutput: singleSelectedNode(blueprint).node?.id }),
    },
    unpin_output: {
      refusal: () => {
        const { node, refusal } = singleSelectedNode(blueprint);
        if (!node) return refusal;
        return page.getState().pinnedOutputs.has(node.id) ? undefined : "Its output isn't pinned";
      },
      run: () => {
        const { node } = singleSelectedNode(blueprint);
        return node && runs.unpinOutput(node.id);
      },
    },
    stop_node: onSelected(blueprint, "stop"),
    retry: onSelected(blueprint, "retry"),
    resume_session: onSelected(blueprint, "resume"),
    skip: onSelected(blueprint, "skip"),
    mark_done: onSelected(blueprint, "mark_done"),
    rerun: onSelected(blueprint, "rerun"),
    rerun_alone: onSelected(blueprint, "rerun_alone"),
    open_timeline: withSession(() => page.setState({ drawerOpen: true, drawerTab: "timeline" })),
    open_changes: withSession((session) => context.go(paths.sessionChanges(session))),
    ...directoryHandlers(blueprint, context),
    split_node: order("split"),
    explain_node: order("explain"),
  };
}

function pinOutputRefusal(blueprint: Blueprint): string | undefined {
  const { node, refusal } = singleSelectedNode(blueprint);
  if (!node) return refusal;
  return canPinOutput(node) ? undefined : "Notes and conditions have no output to pin";
}

function pinLabel(pinning: ReturnType<typeof pinChangeFor>): string {
  if ("refusal" in pinning) return "Pin incoming handoffs";
  const verb = pinning.act === "pin" ? "Pin" : "Unpin";
  const { length } = pinning.edges;
  return `${verb} ${length === 1 ? "the handoff" : formatCount(length, "handoff")}`;
}

/**
 * Applies an action to the selected nodes that allow it. Refused if none does. What starts nodes is
 * confirmed first, because a shortcut is easily hit by accident.
 */
export function onSelected(blueprint: Blueprint, act: NodeAction): CommandHandler {
  const { editor, runs } = blueprint;
  const judged = (): { node: NodeId; refusal: string | undefined }[] => {
    const { plan, run, selection } = editor.getState();
    const nodeRuns = runsByNode(run);
    return plan.nodes
      .filter(({ id }) => selection.has(id))
      .map((node) => ({
        node: node.id,
        // Starting approves a draft first, so only the state of the node matters.
        refusal: nodeActionRefusal(act, {
          node,
          review: "approved",
          run,
          nodeRun: nodeRuns.get(node.id),
        }),
      }));
  };
  return {
    refusal: () => {
      const nodes = judged();
      if (nodes.length === 0) return noneSelected(blueprint);
      return nodes.some(({ refusal }) => refusal === undefined) ? undefined : nodes[0]?.refusal;
    },
    run: () => {
      const nodes = judged()
        .filter(({ refusal }) => refusal === undefined)
        .map(({ node }) => node);
      if (isRerun(act)) return runs.askToRerun(act, nodes);
      if (act === "run") return runs.askToStart(nodes.map((node) => ({ want: "node", node })));
      if (act === "skip") return runs.skip(nodes);
      return Promise.all(nodes.map((node) => runs.node(act, node)));
    },
  };
}

import type { NodeId } from "@/api/bindings";
import type { nodeCommands } from "@/commands/catalogue/node";
import type { ActsFor, CommandAct } from "@/commands/command";
import { formatCount } from "@/components/formatCount";
import type { Blueprint } from "@/plan/blueprintContext";
import { actRefusal, type NodeAct } from "@/plan/nodeActs";
import { lookOf, titleWords } from "@/plan/nodeWords";
import { pinningOf } from "@/plan/pins";
import { runsByNode } from "@/run/runsByNode";
import { noneSelected, onlyNode } from "./refusals";

/** What is asked about the selected nodes in a run, or of an agent about them. */
export function nodeActs(blueprint: Blueprint): ActsFor<typeof nodeCommands> {
  const { page, editor, runs } = blueprint;
  const order = (ask: "split" | "explain"): CommandAct => ({
    refusal: () => {
      const { node, refusal } = onlyNode(blueprint);
      return node?.kind.kind === "note" ? "Notes do not run" : refusal;
    },
    run: () => {
      const { node } = onlyNode(blueprint);
      const plan = editor.getState().plan.id;
      if (node)
        page.setState({ order: { ask, plan, node: node.id, title: titleWords(node.title) } });
    },
  });
  return {
    answer: {
      refusal: () => {
        const { node, refusal } = onlyNode(blueprint);
        if (!node) return refusal;
        const nodeRun = runsByNode(editor.getState().run).get(node.id);
        return lookOf(nodeRun).waitingFor === "person" ? undefined : "It asks nothing";
      },
      run: () => page.setState({ answering: onlyNode(blueprint).node?.id }),
    },
    pin: {
      words: () => pinWords(pinningOf(editor.getState())),
      refusal: () => {
        const pinning = pinningOf(editor.getState());
        return "refusal" in pinning ? pinning.refusal : undefined;
      },
      run: () => runs.togglePins(),
    },
    stop_node: onSelected(blueprint, "stop"),
    retry: onSelected(blueprint, "retry"),
    resume_session: onSelected(blueprint, "resume"),
    skip: onSelected(blueprint, "skip"),
    mark_done: onSelected(blueprint, "mark_done"),
    rerun: onSelected(blueprint, "rerun"),
    rerun_alone: onSelected(blueprint, "rerun_alone"),
    open_timeline: {
      refusal: () => {
        const { node, refusal } = onlyNode(blueprint);
        if (!node) return refusal;
        const { run } = editor.getState();
        return runsByNode(run).get(node.id)?.session ? undefined : "No session yet";
      },
      run: () => page.setState({ drawerOpen: true, drawerTab: "timeline" }),
    },
    split_node: order("split"),
    explain_node: order("explain"),
  };
}

function pinWords(pinning: ReturnType<typeof pinningOf>): string {
  if ("refusal" in pinning) return "Pin what it receives";
  const verb = pinning.act === "pin" ? "Pin" : "Unpin";
  const { length } = pinning.edges;
  return `${verb} ${length === 1 ? "the handoff" : formatCount(length, "handoff")}`;
}

/** An act on those of the selected nodes to which it applies; refused when it applies to none. */
export function onSelected(blueprint: Blueprint, act: NodeAct): CommandAct {
  const { editor, runs } = blueprint;
  const judged = (): { node: NodeId; refusal: string | undefined }[] => {
    const { plan, run, selection } = editor.getState();
    const nodeRuns = runsByNode(run);
    return plan.nodes
      .filter(({ id }) => selection.has(id))
      .map((node) => ({
        node: node.id,
        // A draft is approved on the way to its run, so only what a node itself says counts.
        refusal: actRefusal(act, {
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
    run: () =>
      Promise.all(
        judged()
          .filter(({ refusal }) => refusal === undefined)
          .map(({ node }) => runs.node(act, node)),
      ),
  };
}

import { useMemo } from "react";
import type { NodeId, NodeRunView, NodeStatus } from "@/api/bindings";
import { type Blueprint, useBlueprint } from "@/plan/blueprintContext";
import { goToNext, goToState } from "@/plan/goToNode";
import { nodeStateAppearance } from "@/plan/nodeText";
import { failedNodes } from "@/plan/runStatus";
import { nodesByCost } from "@/run/nodeCosts";

/** Where the state and the figures of the shown run lead to. */
export interface RunNavigation {
  /** Selects the next node in this state. */
  showState: (state: NodeStatus) => void;
  /** Selects the next node whose work was not confirmed. */
  showUnverified: () => void;
  /** Selects the next node that waits for the user, and opens its question. */
  showQuestion: () => void;
  /** Selects the next node that failed or was interrupted. */
  showFailed: () => void;
  /** Selects the costliest node, then the next costliest one. */
  showCostliest: () => void;
  showHistory: () => void;
}

export function useRunNavigation(): RunNavigation {
  const blueprint = useBlueprint();
  return useMemo(() => runNavigation(blueprint), [blueprint]);
}

function runNavigation(blueprint: Blueprint): RunNavigation {
  const { editor, page } = blueprint;
  /** Repeated calls go through `nodes`. */
  const show = (nodes: readonly NodeId[]) => goToNext(blueprint, nodes);
  const nodesWhere = (applies: (node: NodeRunView) => boolean) =>
    (editor.getState().run?.nodes ?? []).filter(applies).map(({ node }) => node);
  return {
    showState: (state) => goToState(blueprint, state),
    showUnverified: () =>
      void show(
        nodesWhere(
          ({ state, unverified, notChecked }) =>
            state.state === "done" && (unverified || notChecked === true),
        ),
      ),
    showQuestion: () => {
      const asking = show(nodesWhere((node) => nodeStateAppearance(node).waitingFor === "person"));
      if (asking !== undefined) page.setState({ answering: asking, sideOpen: true });
    },
    showFailed: () => {
      const { run } = editor.getState();
      show(run ? failedNodes(run) : []);
    },
    showCostliest: () => void show(nodesByCost(editor.getState().run?.nodes ?? [])),
    showHistory: () => page.setState({ drawerOpen: true, drawerTab: "history" }),
  };
}

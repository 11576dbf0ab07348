import type { OnConnectStartParams } from "@xyflow/react";
import { useEffect, useMemo, useRef } from "react";
import type { NodeId, Plan } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { usePage } from "@/plan/blueprintContext";
import { draggedNodes, endsRefusedByAll } from "@/plan/connections";
import { useEditor } from "@/plan/editor";
import { conditionOfHandle } from "@/plan/handles";
import { subPlanIdOf } from "@/plan/kindSummary";
import { neighborsText } from "@/plan/neighborsText";
import { singleOf } from "@/plan/planAccess";
import { matchesOf } from "@/plan/search";
import { useCriticalPath, useTypicalDurations } from "@/plan/usePlanTiming";
import { usePlanTitles } from "@/plan/usePlanTitles";
import type { RenderedElements } from "./renderedElements";
import type { Scene } from "./scene";
import { type Flow, toFlow } from "./toFlow";

const noNodes: ReadonlySet<NodeId> = new Set();

/** The React Flow elements of the canvas. Unchanged elements keep their identity. */
export function useFlow(
  scene: Scene,
  elements: RenderedElements,
  drawing: OnConnectStartParams | undefined,
): Flow {
  const before = useRef<Flow>(undefined);
  const plan = useEditor((state) => state.plan);
  const run = useEditor((state) => state.run);
  const selection = useEditor((state) => state.selection);
  const selectedEdges = useEditor((state) => state.selectedEdges);
  const problemList = useEditor((state) => state.problems);
  const search = usePage((state) => state.search);
  const found = useMemo(
    () => new Set(matchesOf({ nodes: plan.nodes }, search)),
    [plan.nodes, search],
  );
  const renaming = usePage((state) => state.renaming);
  const hasSubPlans = useMemo(
    () => plan.nodes.some((node) => subPlanIdOf(node) !== undefined),
    [plan.nodes],
  );
  const planTitles = usePlanTitles(hasSubPlans);
  const critical = useCriticalPath();
  const usual = useTypicalDurations();

  const problems = useMemo(
    () => new Map(problemList.flatMap(({ nodes, sentence }) => nodes.map((id) => [id, sentence]))),
    [problemList],
  );
  const isRelinking = usePage((state) => state.reconnectingEdge !== undefined);
  const refused = useMemo(
    () =>
      drawing?.nodeId
        ? refusedFor(plan, drawing.nodeId, drawing, isRelinking ? noNodes : selection)
        : noNodes,
    [plan, drawing, isRelinking, selection],
  );
  const chosen = singleOf(selection);
  const neighbors = useMemo(() => chosen && placeAmong(plan, chosen), [plan, chosen]);
  const flow = useMemo(
    () =>
      toFlow(
        {
          scene,
          elements,
          run,
          selection,
          selectedEdges,
          problems,
          refused,
          found,
          renaming,
          planTitles,
          critical,
          usual,
          neighbors,
        },
        before.current,
      ),
    [
      scene,
      elements,
      run,
      selection,
      selectedEdges,
      problems,
      refused,
      found,
      renaming,
      planTitles,
      critical,
      usual,
      neighbors,
    ],
  );
  useEffect(() => {
    before.current = flow;
  }, [flow]);
  return flow;
}

/** For example "3 of 6. After Build, before Publish". A note has no place among the nodes. */
function placeAmong(plan: Plan, id: NodeId): string {
  const nodes = plan.nodes.filter(({ kind }) => kind.kind !== "note");
  const at = nodes.findIndex((node) => node.id === id) + 1;
  const place = at > 0 && `${formatNumber(at)} of ${formatNumber(nodes.length)}`;
  return [place, neighborsText(plan, id)].filter(Boolean).join(". ");
}

/** The nodes that none of the edges being drawn can end at. */
function refusedFor(
  plan: Plan,
  from: NodeId,
  { handleType, handleId }: OnConnectStartParams,
  selection: ReadonlySet<NodeId>,
): Set<NodeId> {
  const condition = conditionOfHandle(handleId);
  const as = handleType === "source" ? "parent" : "child";
  const nodes = draggedNodes(from, selection, condition);
  const refused = endsRefusedByAll(plan, nodes, as, condition);
  // The node where the edge starts isn't a valid end either, but it need not be dimmed.
  refused.delete(from);
  return refused;
}

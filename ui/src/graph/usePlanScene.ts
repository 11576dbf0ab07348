import { useMemo } from "react";
import type { Group, NodeId, Plan, Position } from "@/api/bindings";
import { usePage } from "@/plan/blueprintContext";
import { collapseGroups, expandIds, expandPositions } from "./collapseGroups";
import { createScene, type Scene } from "./scene";
import { useFallbackPlaces } from "./useFallbackPlaces";
import type { GroupExpansion } from "./useFlowChanges";

/** A plan as it lies on the canvas while nothing moves, with collapsed groups as cards. */
export interface PlanScene {
  resting: Scene;
  expansion: GroupExpansion;
  /** The groups that are not collapsed. */
  groups: readonly Group[];
  /** False while places are awaited for nodes that have none. */
  ready: boolean;
}

// Nobody sees where nodes would lie that are being laid out.
const emptyScene = createScene({ nodes: [], edges: [] }, new Map());

/** The scene of the plan, made anew only for what lies on the canvas: titles of the plan and its settings do not. */
export function usePlanScene(plan: Plan): PlanScene {
  const { nodes, edges, groups, direction } = plan;
  const collapsed = usePage((state) => state.collapsed);
  const { places: fallback, ready } = useFallbackPlaces(plan);
  const folded = useMemo(
    () => collapseGroups({ nodes, edges, groups }, collapsed, fallback),
    [nodes, edges, groups, collapsed, fallback],
  );
  const resting = useMemo(
    () =>
      ready ? createScene({ ...folded, ...(direction && { direction }) }, fallback) : emptyScene,
    [ready, folded, direction, fallback],
  );
  const expansion = useMemo(
    () => ({
      members: (ids: Iterable<NodeId>) => expandIds(folded, ids),
      placesOf: (places: ReadonlyMap<NodeId, Position>) =>
        expandPositions({ nodes, groups }, folded, places, fallback),
    }),
    [nodes, groups, folded, fallback],
  );
  const shown = useMemo(() => groups.filter(({ id }) => !collapsed.has(id)), [groups, collapsed]);
  return { resting, expansion, groups: shown, ready };
}

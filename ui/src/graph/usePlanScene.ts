import { useMemo } from "react";
import type { Group, NodeId, Plan, Position } from "@/api/bindings";
import { usePage } from "@/plan/blueprintContext";
import { collapseGroups, expandIds, expandPositions } from "./collapseGroups";
import { createScene, type Scene } from "./scene";
import { useFallbackPlaces } from "./useFallbackPlaces";
import type { GroupExpansion } from "./useFlowChanges";

/** The geometry of a plan at rest, with collapsed groups as cards. */
export interface PlanScene {
  resting: Scene;
  expansion: GroupExpansion;
  /** The expanded groups. */
  groups: readonly Group[];
  /** False while positions are being computed for nodes that have none. */
  ready: boolean;
}

// Used until positions are ready.
const emptyScene = createScene({ nodes: [], edges: [] }, new Map());

/**
 * The scene of the plan. Recomputed only when something on the canvas changes, not for the plan's
 * title or settings.
 */
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

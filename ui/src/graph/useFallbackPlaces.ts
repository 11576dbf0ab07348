import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useBackend } from "@/api/backendContext";
import type { NodeId, Plan, Position } from "@/api/bindings";
import { placesOf } from "@/plan/edits";
import { defaultDirection } from "@/plan/geometry";

const nowhere: ReadonlyMap<NodeId, Position> = new Map();

/**
 * Positions for nodes that have none yet, near their parents. Computed once for each set of such
 * nodes and used for display only; viewing a plan doesn't change it. `ready` is false while the
 * first positions are being computed.
 */
export function useFallbackPlaces(plan: Plan): {
  places: ReadonlyMap<NodeId, Position>;
  ready: boolean;
} {
  const backend = useBackend();
  const { direction = defaultDirection } = plan;
  // Joins thousands of ids once per list of nodes, not on every render.
  const unplaced = useMemo(
    () =>
      plan.nodes
        .filter((node) => node.position === null)
        .map((node) => node.id)
        .join(),
    [plan.nodes],
  );
  const { data, isPending } = useQuery({
    queryKey: ["places", plan.id, unplaced, direction],
    enabled: unplaced !== "",
    retry: false,
    queryFn: async () =>
      placesOf(await backend.call("plan_arrange", { plan, direction, missingOnly: true })),
    structuralSharing: false,
    // When a node without a position appears while the plan is open, keep the previous positions
    // until the new ones arrive.
    placeholderData: (before, query) => (query?.queryKey[1] === plan.id ? before : undefined),
  });
  return { places: data ?? nowhere, ready: unplaced === "" || !isPending };
}

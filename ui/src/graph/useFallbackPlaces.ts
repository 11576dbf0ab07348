import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useBackend } from "@/api/backendContext";
import type { NodeId, Plan, Position } from "@/api/bindings";
import { placesOf } from "@/plan/edits";
import { defaultDirection } from "@/plan/geometry";

const nowhere: ReadonlyMap<NodeId, Position> = new Map();

/**
 * Places for nodes that nobody placed yet, near their parents. Asked once for each set of such nodes, and
 * only shown: a plan is not changed by being looked at. `ready` once nothing is awaited.
 */
export function useFallbackPlaces(plan: Plan): {
  places: ReadonlyMap<NodeId, Position>;
  ready: boolean;
} {
  const backend = useBackend();
  const { direction = defaultDirection } = plan;
  // Thousands of ids are written out once for a list of nodes, not each time that something is drawn.
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
    // A node that comes without a place while the plan is looked at: the graph stays where it is until it has one.
    placeholderData: (before, query) => (query?.queryKey[1] === plan.id ? before : undefined),
  });
  return { places: data ?? nowhere, ready: unplaced === "" || !isPending };
}

import { useState } from "react";
import type { NodeStateName } from "@/components/nodeState";

/** States in which something happens, or is about to. */
const unsettled: ReadonlySet<NodeStateName> = new Set(["running", "waiting"]);

/**
 * Reports whether the node has just come to an end, or to a person: that is worth a moment's
 * attention. Opening a page or another run isn't, and neither is a start, which lasts. Pure.
 */
export function isArrival(
  before: NodeStateName | undefined,
  now: NodeStateName | undefined,
): boolean {
  if (before === undefined || now === undefined || before === now) return false;
  return unsettled.has(before) && now !== "running" && now !== "pending";
}

/** How often the node has arrived while its card has been shown. */
export function useArrivals(state: NodeStateName | undefined): number {
  const [seen, setSeen] = useState({ state, arrivals: 0 });
  if (seen.state === state) return seen.arrivals;
  const arrivals = seen.arrivals + (isArrival(seen.state, state) ? 1 : 0);
  setSeen({ state, arrivals });
  return arrivals;
}

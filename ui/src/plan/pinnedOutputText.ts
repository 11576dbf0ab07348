import type { PinOrigin } from "@/api/bindings";

/** The label of runs in which nodes used their pinned output, and of those nodes. */
export const pinnedOutputsLabel = "Pinned outputs";

/** Says where the pinned output of a node comes from: "Pinned output from run #3". */
export function pinnedOutputText({ run }: Pick<PinOrigin, "run">): string {
  return run === null ? "Pinned output, typed" : `Pinned output from run #${run}`;
}

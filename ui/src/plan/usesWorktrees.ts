import type { RunView } from "@/api/bindings";

/** Reports whether any node of the run may work in its own worktree. */
export function usesWorktrees({ plan }: Pick<RunView, "plan">): boolean {
  return plan.nodes.some((node) => (node.isolation ?? plan.settings.isolation) === "worktree");
}

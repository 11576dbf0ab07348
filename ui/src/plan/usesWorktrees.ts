import type { RunView } from "@/api/bindings";

/** Whether any node of the run may work in a worktree of its own. */
export function usesWorktrees({ plan }: Pick<RunView, "plan">): boolean {
  return plan.nodes.some((node) => (node.isolation ?? plan.settings.isolation) === "worktree");
}

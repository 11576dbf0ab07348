import type { WorktreeStatus } from "@/api/bindings";

/** Where the work of a worktree is, in a word or two. */
export const worktreeStateLabels: Record<WorktreeStatus, string> = {
  in_use: "In use",
  home: "Merged",
  kept: "Not merged",
  changed: "Changed since",
  broken: "Unreadable",
};

/** The same in a sentence. */
export const worktreeStateHints: Record<WorktreeStatus, string> = {
  in_use: "Its run has not ended, so it stays.",
  home: "It changed nothing, or all of its work is on a branch or in the blueprint's directory.",
  kept: "Its work is kept in commits below refs/baton, and nowhere else.",
  changed: "Files have changed since Baton last kept them.",
  broken: "Its repository is gone, or git cannot read it.",
};

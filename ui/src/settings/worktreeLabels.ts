import type { WorktreeStatus } from "@/api/bindings";

/** Short labels for the state of the work in a worktree. */
export const worktreeStateLabels: Record<WorktreeStatus, string> = {
  in_use: "In use",
  home: "Merged",
  kept: "Not merged",
  changed: "Unsaved changes",
  broken: "Unreadable",
};

/** The same as sentences. */
export const worktreeStateHints: Record<WorktreeStatus, string> = {
  in_use: "Its run hasn't ended, so the worktree is kept.",
  home: "It changed nothing, or all of its work is on a branch or in the blueprint's directory.",
  kept: "Its work is kept only in commits under refs/baton.",
  changed: "Files have changed since Baton last saved them.",
  broken: "Its repository is missing, or git can't read it.",
};

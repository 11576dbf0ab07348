import type {
  AgentChange,
  ApprovalChangesView,
  FileChange,
  ProjectFileChange,
  RepositoryChanges,
  RepositoryComparison,
} from "@/api/bindings";
import { formatCount, formatNumber } from "@/components/formatCount";

/** Whether something has changed since the approval. What isn't known doesn't count. */
export function isChangedSinceApproval({ criteriaFiles, project }: ApprovalChangesView): boolean {
  return criteriaFiles.length > 0 || project?.any === true;
}

/** Shortens a commit, like git does. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** Says what can't be compared in the repository, or that there is another one. */
export function repositoryNote(repository: RepositoryComparison): string | undefined {
  switch (repository.kind) {
    case "unknown":
      return "Changes to files aren't known: git failed or took too long.";
    case "no_repository":
      return "Files aren't compared: the directory isn't in a git repository.";
    case "created":
      return "The directory is in a git repository now.";
    case "removed":
      return "The directory is no longer in a git repository, or was deleted.";
    case "compared":
      return undefined;
  }
}

/** "Branch switched from main to feature". */
export function branchText({ branch }: Pick<RepositoryChanges, "branch">): string | undefined {
  if (branch === null) return undefined;
  const name = (of: string | null) => of ?? "a detached commit";
  return `Branch switched from ${name(branch.from)} to ${name(branch.to)}`;
}

/** Says where the approved commit is, unless it is in the history as expected. */
export function approvedCommitText({
  approved,
  approvedCommit,
  branch,
}: Pick<RepositoryChanges, "approved" | "approvedCommit" | "branch">): string | undefined {
  if (approvedCommit === null) return undefined;
  const commit = shortCommit(approvedCommit);
  switch (approved) {
    case "checked_out":
    case "in_history":
      return undefined;
    case "not_in_history":
      return branch === null
        ? `The approved commit ${commit} is no longer in the history: the branch was rebased, amended or reset`
        : `The approved commit ${commit} isn't in the history of this branch`;
    case "gone":
      return `The approved commit ${commit} no longer exists in the repository, so commits and files aren't compared`;
    case "unknown":
      return `Commits since ${commit} aren't known: nothing is checked out`;
  }
}

/** "1,000 files changed (10 in commits, 990 uncommitted)". */
export function fileCountText(
  changes: Pick<RepositoryChanges, "fileCount" | "committedCount" | "uncommittedCount">,
): string {
  const parts = [
    changes.committedCount > 0 && `${formatNumber(changes.committedCount)} in commits`,
    changes.uncommittedCount > 0 && `${formatNumber(changes.uncommittedCount)} uncommitted`,
  ].filter(Boolean);
  const files = `${formatCount(changes.fileCount, "file")} changed`;
  return parts.length > 0 ? `${files} (${parts.join(", ")})` : files;
}

/** What is special about a changed file: "named in the blueprint · uncommitted". */
export function fileNote({ named, uncommitted }: ProjectFileChange): string {
  return [named && "named in the blueprint", uncommitted && "uncommitted"]
    .filter(Boolean)
    .join(" · ");
}

/** "claude 2.1.4 → 2.2.0". */
export function agentText({ agent, change }: AgentChange): string {
  switch (change.kind) {
    case "version":
      return `${agent} ${change.from} → ${change.to}`;
    case "added":
      return `${agent} is used now, and wasn't when approved`;
    case "removed":
      return `${agent} is no longer used`;
  }
}

const fileKinds: Record<FileChange["kind"], string> = {
  changed: "changed",
  new: "new",
  gone: "deleted",
};

/** "Run by criteria, changed". */
export function criteriaFileNote({ kind }: FileChange): string {
  return `run by criteria, ${fileKinds[kind]}`;
}

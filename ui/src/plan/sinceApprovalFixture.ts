import type { ApprovalChangesView, ProjectChanges, RepositoryChanges } from "@/api/bindings";

function repositoryChanges(more: Partial<RepositoryChanges> = {}): RepositoryChanges {
  return {
    approvedCommit: "0123456789",
    approved: "checked_out",
    branch: null,
    commitCount: 0,
    commits: [],
    files: [],
    fileCount: 0,
    committedCount: 0,
    uncommittedCount: 0,
    notCompared: 0,
    ...more,
  };
}

/** For tests: what has changed since version 1 was approved in a shell. */
export function approvalChanges(
  repository: Partial<RepositoryChanges> = {},
  project: Partial<ProjectChanges> = {},
  more: Partial<ApprovalChangesView> = {},
): ApprovalChangesView {
  return {
    version: 1,
    approval: {
      version: 1,
      actor: "person:shell",
      // Two days and an hour: the shared clock of the page may be behind.
      at: Date.now() - 49 * 3_600_000,
      digest: "00",
      files: [],
    },
    criteriaFiles: [],
    project: {
      repository: { kind: "compared", ...repositoryChanges(repository) },
      agents: [],
      unknownAgents: [],
      any: Object.keys(repository).length > 0,
      ...project,
    },
    ...more,
  };
}

import type { ReactElement, ReactNode } from "react";
import type {
  ApprovalChangesView,
  ApprovalView,
  PlanView,
  ProjectChanges,
  RepositoryChanges,
} from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { describeActor } from "@/components/actor";
import { Button } from "@/components/Button";
import { formatCount, formatNumber } from "@/components/formatCount";
import { formatList } from "@/components/formatList";
import { RelativeTime } from "@/components/RelativeTime";
import { Skeleton } from "@/components/Skeleton";
import { toSentence } from "@/components/toSentence";
import {
  agentText,
  approvedCommitText,
  branchText,
  criteriaFileNote,
  fileCountText,
  fileNote,
  isChangedSinceApproval,
  repositoryNote,
  shortCommit,
} from "./sinceApprovalText";

/** Above this number, the changed files are folded. */
const maxUnfoldedFiles = 8;

/**
 * What has changed in the project since a person approved the blueprint: commits, files, and the
 * versions of agents. Nothing for a blueprint that was never approved.
 */
export function SinceApproval({
  view,
  found,
}: {
  view: Pick<PlanView, "approvedVersion"> & { plan: Pick<PlanView["plan"], "id"> };
  /** What was read just before, shown until it is read again. */
  found?: ApprovalChangesView | undefined;
}): ReactElement | null {
  if (view.approvedVersion === null) return null;
  // A new approval has another state to compare with.
  return <LoadedChanges key={view.approvedVersion} plan={view.plan.id} found={found} />;
}

function LoadedChanges({
  plan,
  found,
}: {
  plan: string;
  found: ApprovalChangesView | undefined;
}): ReactElement | null {
  // No event tells when files or agents change, so each time it is shown it is read.
  const read = useOperation(
    "approval_changes",
    { plan },
    { staleTime: 0, gcTime: 0, refetchOnMount: "always", ...(found && { initialData: found }) },
  );
  if (read.error) {
    return (
      <div role="alert" className="flex items-start gap-2 text-12">
        <p className="min-w-0 flex-1 select-text break-words text-muted">
          Couldn't compare with the approval. {toSentence(read.error.message)}
        </p>
        <Button size="small" busy={read.isFetching} onClick={() => void read.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!read.data) {
    return (
      <div role="status" aria-label="Comparing with the approval" className="text-12">
        <Skeleton width="70%" />
      </div>
    );
  }
  return <Changes found={read.data} />;
}

function Changes({ found }: { found: ApprovalChangesView }): ReactElement | null {
  const { approval, project, version } = found;
  if (version === null) return null;
  if (!approval) {
    return (
      <p className="text-12 text-muted">
        Version {version} was approved before Baton recorded approvals, so changes since then aren't
        known.
      </p>
    );
  }
  const changed = isChangedSinceApproval(found);
  const since = <SinceText version={version} approval={approval} />;
  return (
    <section aria-label="Since the approval" className="flex flex-col gap-1 text-12">
      {changed ? (
        <h3 className="font-medium">Since {since}</h3>
      ) : (
        <p className="text-muted">Nothing changed since {since}.</p>
      )}
      <ul className="flex select-text flex-col gap-1 empty:hidden">
        {found.criteriaFiles.map((file) => (
          <li key={file.path}>
            <FilePath path={file.path} note={criteriaFileNote(file)} />
          </li>
        ))}
        {project && <ProjectLines project={project} />}
        {!project && (
          <Faint>
            Changes to files and agents aren't known: an earlier version of Baton stored the
            approval.
          </Faint>
        )}
      </ul>
    </section>
  );
}

/** "you approved version 3 2 days ago". */
function SinceText({
  version,
  approval,
}: {
  version: number;
  approval: ApprovalView;
}): ReactElement {
  const { who, channel } = describeActor(approval.actor);
  return (
    <span className="font-normal">
      <bdi>{who === "You" ? "you" : who}</bdi> approved version {version} (
      <RelativeTime at={approval.at} />
      {channel && `, ${channel}`})
    </span>
  );
}

function ProjectLines({ project }: { project: ProjectChanges }): ReactElement {
  const { repository, agents, unknownAgents } = project;
  const note = repositoryNote(repository);
  return (
    <>
      {note !== undefined && <Faint>{note}</Faint>}
      {repository.kind === "compared" && <RepositoryLines changes={repository} />}
      {agents.map((agent) => (
        <li key={agent.agent} dir="auto" className="break-words">
          {agentText(agent)}
        </li>
      ))}
      {unknownAgents.length > 0 && (
        <Faint>The version of {formatList(unknownAgents)} isn't known.</Faint>
      )}
    </>
  );
}

function RepositoryLines({ changes }: { changes: RepositoryChanges }): ReactElement {
  return (
    <>
      {[branchText(changes), approvedCommitText(changes)].map(
        (text) =>
          text !== undefined && (
            <li key={text} dir="auto" className="break-words">
              {text}
            </li>
          ),
      )}
      {changes.commitCount > 0 && <Commits changes={changes} />}
      {changes.fileCount > 0 && <Files changes={changes} />}
      {changes.notCompared > 0 && (
        <Faint>{formatCount(changes.notCompared, "uncommitted file")} couldn't be compared.</Faint>
      )}
    </>
  );
}

function Commits({ changes: { commits, commitCount } }: { changes: RepositoryChanges }) {
  return (
    <li>
      {formatCount(commitCount, "new commit")}
      <ul aria-label="New commits" className="pl-3 text-muted">
        {commits.map(({ commit, subject, author, at }) => (
          <li key={commit} className="flex gap-2">
            <code title={commit}>{shortCommit(commit)}</code>
            <span dir="auto" title={subject} className="min-w-0 flex-1 truncate">
              {subject}
            </span>
            <span className="flex max-w-1/3 shrink-0 gap-1">
              <bdi className="truncate">{author}</bdi> · <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ul>
      <More count={commitCount - commits.length} />
    </li>
  );
}

function Files({ changes }: { changes: RepositoryChanges }): ReactElement {
  const { files, fileCount } = changes;
  return (
    <li>
      <details open={files.length <= maxUnfoldedFiles}>
        <summary className="cursor-default">{fileCountText(changes)}</summary>
        <ul aria-label="Changed files" className="pl-3 text-muted">
          {files.map((file) => (
            <li key={file.path}>
              <FilePath path={file.path} note={fileNote(file)} />
            </li>
          ))}
        </ul>
        <More count={fileCount - files.length} />
      </details>
    </li>
  );
}

function FilePath({ path, note }: { path: string; note: string }): ReactElement {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <bdi className="min-w-0 break-all font-mono">{path}</bdi>
      {note && <span className="text-faint">{note}</span>}
    </span>
  );
}

function More({ count }: { count: number }): ReactElement | null {
  return count > 0 ? <p className="pl-3 text-faint">and {formatNumber(count)} more</p> : null;
}

function Faint({ children }: { children: ReactNode }): ReactElement {
  return <li className="break-words text-muted">{children}</li>;
}

import type { Freshness, ProjectFreshness } from "@/api/bindings";
import { formatCount } from "@/components/formatCount";
import { formatList } from "@/components/formatList";
import { shortCommit } from "@/plan/sinceApprovalText";

/** How many files are named. */
const maxFiles = 10;

/** What has changed since a proposal was made, one sentence each. Empty for a fresh one. */
export function freshnessSentences({ base, project, missingAgents }: Freshness): string[] {
  const sentences = [...baseSentences(base), ...projectSentences(project)];
  if (missingAgents.length > 0) {
    sentences.push(`No longer installed: ${formatList(missingAgents)}`);
  }
  return sentences;
}

function baseSentences(base: Freshness["base"]): string[] {
  if (base === null || base.current === base.version) return [];
  return base.current === null
    ? ["The blueprint that it changes was deleted"]
    : [`It is for version ${base.version}; the blueprint is at version ${base.current}`];
}

function projectSentences(project: ProjectFreshness): string[] {
  if (project.kind === "removed") {
    return ["The directory is no longer in a git repository, or was deleted"];
  }
  if (project.kind !== "compared") return [];
  const { commit, newCommits, namedFiles, place } = project;
  const sentences: string[] = [];
  if (commit !== null && place === "not_in_history") {
    sentences.push(`The commit ${shortCommit(commit)} isn't in the history of this branch`);
  } else if (commit !== null && place === "gone") {
    sentences.push(`The commit ${shortCommit(commit)} no longer exists in the repository`);
  } else if (commit !== null && newCommits > 0) {
    sentences.push(`${formatCount(newCommits, "new commit")} since ${shortCommit(commit)}`);
  }
  if (namedFiles.length > 0) {
    const more = namedFiles.length - maxFiles;
    const shown = namedFiles.slice(0, maxFiles);
    const items = more > 0 ? [...shown, `${more} more`] : shown;
    sentences.push(`Files that it names have changed: ${formatList(items)}`);
  }
  return sentences;
}

import type { CommandEnd, CriterionCheck, FileSource, Mismatch } from "@/api/bindings";

/** Whether the work counts as unverified because of it. A file that nobody mentioned is no lie. */
export function makesUnverified({ kind }: Mismatch): boolean {
  return kind !== "unmentioned";
}

/** A difference as a sentence. */
export function describeMismatch(mismatch: Mismatch): string {
  switch (mismatch.kind) {
    case "claimed_untouched":
      return mismatch.exists
        ? `Named as changed, but was not: ${mismatch.path}`
        : `Named as changed, but does not exist: ${mismatch.path}`;
    case "unmentioned":
      return `Changed, but not mentioned: ${mismatch.path}`;
    case "nothing_done":
      return "The agent did nothing and said nothing.";
    case "not_met":
      return `Not met: ${mismatch.criterion}`;
    case "unchecked":
      return `Could not be checked: ${mismatch.criterion}`;
    case "work_refused":
      return "Every call that could have done the work was refused.";
  }
}

/** How changes of files are known. */
export function describeFileSource(source: FileSource): string {
  switch (source.source) {
    case "git":
      return "by git, commits included";
    case "directory":
      return "by comparing the directory before and after";
    case "unknown":
      return `Which files changed is not known: ${source.reason}.`;
  }
}

/** How a command ended, and whether that is bad. */
export function describeCommandEnd(end: CommandEnd): { words: string; bad: boolean } {
  switch (end.end) {
    case "exited":
      return { words: `exit ${end.code}`, bad: end.code !== 0 };
    case "succeeded":
      return { words: "succeeded", bad: false };
    case "failed":
      return { words: "failed", bad: true };
    case "denied":
      return { words: "not allowed", bad: true };
    case "unknown":
      return { words: "end not told", bad: false };
  }
}

/** Who checked a criterion. */
export function describeChecker({ by }: CriterionCheck): string {
  if (by.by === "nobody") return "the blueprint has no review";
  if (by.by === "reviewer") return `checked by ${by.agent}`;
  return by.code === null ? "command, no exit code" : `command, exit ${by.code}`;
}

/** How many calls were refused. */
export function formatRefusedCalls(refused: number): string {
  return refused === 1 ? "1 call refused" : `${refused} calls refused`;
}

import type { CommandEnd, CriterionCheck, FileSource, Mismatch } from "@/api/bindings";

/**
 * Returns whether the mismatch makes the node unverified. A changed file that isn't mentioned does
 * not.
 */
export function makesUnverified({ kind }: Mismatch): boolean {
  return kind !== "unmentioned";
}

/** Describes a mismatch in one sentence. */
export function describeMismatch(mismatch: Mismatch): string {
  switch (mismatch.kind) {
    case "claimed_untouched":
      return mismatch.exists
        ? `Claimed as changed, but unchanged: ${mismatch.path}`
        : `Claimed as changed, but doesn't exist: ${mismatch.path}`;
    case "unmentioned":
      return `Changed, but not mentioned: ${mismatch.path}`;
    case "nothing_done":
      return "The agent did nothing and gave no answer.";
    case "not_met":
      return `Not met: ${mismatch.criterion}`;
    case "unchecked":
      return `Couldn't be checked: ${mismatch.criterion}`;
    case "work_refused":
      return "Every call that could have done the work was denied.";
  }
}

/** Describes how the changed files were determined. */
export function describeFileSource(source: FileSource): string {
  switch (source.source) {
    case "git":
      return "according to git, including commits";
    case "directory":
      return "by comparing the directory before and after";
    case "unknown":
      return `Changed files unknown: ${source.reason}.`;
  }
}

/** Describes how a command ended, and whether to highlight it as a failure. */
export function describeCommandEnd(end: CommandEnd): { words: string; bad: boolean } {
  switch (end.end) {
    case "exited":
      return { words: `exit ${end.code}`, bad: end.code !== 0 };
    case "succeeded":
      return { words: "succeeded", bad: false };
    case "failed":
      return { words: "failed", bad: true };
    case "denied":
      return { words: "denied", bad: true };
    case "unknown":
      return { words: "result unknown", bad: false };
  }
}

/** Describes what checked a criterion. */
export function describeChecker({ by }: CriterionCheck): string {
  if (by.by === "nobody") return "the blueprint has no review";
  if (by.by === "reviewer") return `checked by ${by.agent}`;
  return by.code === null ? "command, no exit code" : `command, exit ${by.code}`;
}

export function formatRefusedCalls(refused: number): string {
  return refused === 1 ? "1 call denied" : `${refused} calls denied`;
}

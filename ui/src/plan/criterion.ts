import type { Criterion } from "@/api/bindings";

/** How a criterion is verified: not at all, by running a command, or by asking a reviewer. */
export type CriterionKind = "sentence" | "run" | "ask";

export function criterionKind(criterion: Criterion): CriterionKind {
  if (typeof criterion === "string") return "sentence";
  return "run" in criterion ? "run" : "ask";
}

/** The text of a criterion: its sentence, command or question. */
export function criterionText(criterion: Criterion): string {
  if (typeof criterion === "string") return criterion;
  return "run" in criterion ? criterion.run : criterion.ask;
}

/** A criterion of this kind with this text. A command keeps its takeover setting from `before`. */
export function createCriterion(kind: CriterionKind, words: string, before?: Criterion): Criterion {
  if (kind === "sentence") return words;
  if (kind === "ask") return { ask: words };
  return before && !isVerifiedOnTakeover(before)
    ? { run: words, verifyOnTakeover: false }
    : { run: words };
}

/** Reports whether a command may run again after a takeover. */
export function isVerifiedOnTakeover(criterion: Criterion): boolean {
  return (
    typeof criterion === "string" || !("run" in criterion) || (criterion.verifyOnTakeover ?? true)
  );
}

/** A command with its takeover setting. The default, true, is omitted. */
export function withVerification(run: string, verify: boolean): Criterion {
  return verify ? { run } : { run, verifyOnTakeover: false };
}

/** Reads criteria from untrusted JSON and drops invalid ones. */
export function readCriteria(value: unknown): Criterion[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Criterion => {
    if (typeof item === "string") return true;
    if (typeof item !== "object" || item === null) return false;
    const { verifyOnTakeover = true, ...words } = item as Record<string, unknown>;
    const keys = Object.keys(words);
    if (typeof verifyOnTakeover !== "boolean" || ("ask" in words && "verifyOnTakeover" in item))
      return false;
    return (
      keys.length === 1 &&
      (keys[0] === "run" || keys[0] === "ask") &&
      typeof Object.values(words)[0] === "string"
    );
  });
}

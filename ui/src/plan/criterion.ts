import type { Criterion } from "@/api/bindings";

/** Who finds out whether a criterion is met: nobody, its command, a reviewer. */
export type CriterionKind = "sentence" | "run" | "ask";

/** Which kind a criterion is. */
export function criterionKind(criterion: Criterion): CriterionKind {
  if (typeof criterion === "string") return "sentence";
  return "run" in criterion ? "run" : "ask";
}

/** The words of a criterion. */
export function criterionText(criterion: Criterion): string {
  if (typeof criterion === "string") return criterion;
  return "run" in criterion ? criterion.run : criterion.ask;
}

/** A criterion of this kind in these words. A command keeps what was said of it. */
export function createCriterion(kind: CriterionKind, words: string, before?: Criterion): Criterion {
  if (kind === "sentence") return words;
  if (kind === "ask") return { ask: words };
  return before && !isVerifiedOnTakeover(before)
    ? { run: words, verifyOnTakeover: false }
    : { run: words };
}

/** Whether a command may run again after a takeover. */
export function isVerifiedOnTakeover(criterion: Criterion): boolean {
  return (
    typeof criterion === "string" || !("run" in criterion) || (criterion.verifyOnTakeover ?? true)
  );
}

/** The command with another word on takeovers; yes is what goes without saying. */
export function withVerification(run: string, verify: boolean): Criterion {
  return verify ? { run } : { run, verifyOnTakeover: false };
}

/** Criteria out of text from elsewhere; what is none is left out. */
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

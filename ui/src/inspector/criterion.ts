import type { Criterion } from "@/api/bindings";

/** Who finds out whether a criterion is met: nobody, its command, a reviewer. */
export type CriterionKind = "sentence" | "run" | "ask";

/** Which kind a criterion is. */
export function kindOf(criterion: Criterion): CriterionKind {
  if (typeof criterion === "string") return "sentence";
  return "run" in criterion ? "run" : "ask";
}

/** The words of a criterion. */
export function wordsOf(criterion: Criterion): string {
  if (typeof criterion === "string") return criterion;
  return "run" in criterion ? criterion.run : criterion.ask;
}

/** A criterion of this kind in these words. */
export function criterionOf(kind: CriterionKind, words: string): Criterion {
  if (kind === "sentence") return words;
  return kind === "run" ? { run: words } : { ask: words };
}

/** Criteria out of text from elsewhere; what is none is left out. */
export function readCriteria(value: unknown): Criterion[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Criterion => {
    if (typeof item === "string") return true;
    if (typeof item !== "object" || item === null) return false;
    const keys = Object.keys(item);
    return (
      keys.length === 1 &&
      (keys[0] === "run" || keys[0] === "ask") &&
      typeof Object.values(item)[0] === "string"
    );
  });
}

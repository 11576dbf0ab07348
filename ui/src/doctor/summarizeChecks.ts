import type { Check, CheckVerdict, DoctorSection } from "@/api/bindings";

/** The worst of what was found; nothing found is in order. Pure. */
export function worstVerdict(checks: readonly Check[]): CheckVerdict {
  const all = new Set(checks.map(({ verdict }) => verdict));
  if (all.has("failed")) return "failed";
  return all.has("warning") ? "warning" : "passed";
}

/** How things stand, in a line. */
export function summarizeChecks(sections: readonly DoctorSection[]): string {
  const worst = sections.map(({ checks }) => worstVerdict(checks));
  const failed = worst.filter((verdict) => verdict === "failed").length;
  const doubtful = worst.filter((verdict) => verdict === "warning").length;
  if (failed + doubtful === 0) return "All checks passed";
  const parts = [failed > 0 && `${failed} missing`, doubtful > 0 && `${doubtful} doubtful`];
  return parts.filter(Boolean).join(", ");
}

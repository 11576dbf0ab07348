import type { Check, CheckVerdict, DoctorSection } from "@/api/bindings";

/** Returns the worst verdict, or "passed" without any checks. */
export function worstVerdict(checks: readonly Check[]): CheckVerdict {
  const all = new Set(checks.map(({ verdict }) => verdict));
  if (all.has("failed")) return "failed";
  return all.has("warning") ? "warning" : "passed";
}

/** Summarizes the sections in one line: "1 failed, 2 warnings". */
export function summarizeChecks(sections: readonly DoctorSection[]): string {
  const worst = sections.map(({ checks }) => worstVerdict(checks));
  const failed = worst.filter((verdict) => verdict === "failed").length;
  const warnings = worst.filter((verdict) => verdict === "warning").length;
  if (failed + warnings === 0) return "All checks passed";
  const parts = [
    failed > 0 && `${failed} failed`,
    warnings > 0 && (warnings === 1 ? "1 warning" : `${warnings} warnings`),
  ];
  return parts.filter(Boolean).join(", ");
}

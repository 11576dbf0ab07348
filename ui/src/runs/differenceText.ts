import { formatElapsed } from "@/components/duration";
import { formatCost } from "@/components/formatUsage";

/** Formats a difference of milliseconds: "+1m 04s", "−42 s", "same". Empty if unknown. */
export function formatTimeDifference(ms: number | null): string {
  return signed(ms, formatElapsed(Math.abs(ms ?? 0)));
}

/** Formats a difference of US dollars: "+$0.42", "−<$0.01", "same". Empty if unknown. */
export function formatCostDifference(dollars: number | null): string {
  return signed(dollars, formatCost(Math.abs(dollars ?? 0)));
}

/** Formats a difference of attempts: "+1", "−2", "same". Empty if unknown. */
export function formatAttemptsDifference(attempts: number | null): string {
  return signed(attempts, String(Math.abs(attempts ?? 0)));
}

function signed(difference: number | null, size: string): string {
  if (difference === null) return "";
  if (difference === 0) return "same";
  return `${difference > 0 ? "+" : "−"}${size}`;
}

/**
 * Formats a number of tokens: "842", "12.4k", "1.3M". Null was not reported: "unknown", never 0.
 */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return "unknown";
  if (tokens < 1_000) return String(tokens);
  // 999,950 and more would round to "1000.0k".
  if (tokens < 999_950) return `${(tokens / 1_000).toFixed(1)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** Formats US dollars: "$0.42", "$12.40", "<$0.01". Null is "unknown", never $0. */
export function formatCost(dollars: number | null): string {
  if (dollars === null) return "unknown";
  if (dollars > 0 && dollars < 0.005) return "<$0.01";
  return `$${dollars.toFixed(2)}`;
}

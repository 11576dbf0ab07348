// Creating one costs more than using it a thousand times.
const grouped = new Intl.NumberFormat("en-US");

/** Formats a number with separators: "10,000". */
export function formatNumber(count: number): string {
  return grouped.format(count);
}

/** Formats a count of something whose plural ends in s: "1 node", "10,000 nodes". */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`;
}

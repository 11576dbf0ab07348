// To make one costs more than to use it a thousand times.
const grouped = new Intl.NumberFormat("en-GB");

/** A number as people read it: "10,000". */
export function formatNumber(count: number): string {
  return grouped.format(count);
}

/** How many of something, whose plural takes an s: "1 node", "10,000 nodes". */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${count === 1 ? noun : `${noun}s`}`;
}

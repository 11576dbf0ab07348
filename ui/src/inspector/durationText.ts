const units: Record<string, number> = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  seconds: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000,
};

/** A span as a person writes it: "30 min", "90 s", "1h 30m"; a bare number is seconds. `undefined` when it is none. */
export function parseDuration(text: string): number | undefined {
  const words = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(words)) return positive(Number(words) * 1_000);
  if (!/^(\d+(\.\d+)?\s*[a-z]+\s*)+$/.test(words)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of words.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const factor = units[unit ?? ""];
    if (factor === undefined) return undefined;
    sum += Number(amount) * factor;
  }
  return positive(sum);
}

function positive(milliseconds: number): number | undefined {
  const whole = Math.round(milliseconds);
  return whole > 0 && Number.isSafeInteger(whole) ? whole : undefined;
}

const written: [string, number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
  ["ms", 1],
];

/** A span as `parseDuration` reads it back, exactly: "1 h 30 min". */
export function durationText(milliseconds: number): string {
  let left = milliseconds;
  const parts = [];
  for (const [unit, size] of written) {
    const amount = Math.floor(left / size);
    if (amount === 0) continue;
    parts.push(`${amount} ${unit}`);
    left -= amount * size;
  }
  return parts.join(" ") || "0 s";
}

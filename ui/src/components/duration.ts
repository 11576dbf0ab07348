/**
 * Durations, formatted as in the shell (`model/src/duration.rs`); `tests/fixtures/durations.json`
 * keeps both in step.
 */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Formats a measured duration, rounded down to a readable precision: "850 ms", "4.2 s", "42 s", "1m
 * 04s", "2h 03m", "3d 04h".
 */
export function formatElapsed(span: number): string {
  if (!Number.isFinite(span) || span < 0) return "unknown";
  if (span < second) return `${Math.floor(span)} ms`;
  if (span < 10 * second) return `${(Math.floor(span / 100) / 10).toFixed(1)} s`;
  const unit = span < hour ? second : span < day ? minute : hour;
  return formatDuration(Math.floor(span / unit) * unit);
}

/**
 * Formats how long something has been running, in whole seconds: the shared clock advances once a
 * second, so that anything finer would be wrong. It may also be slightly behind the start.
 */
export function formatRunning(span: number): string {
  const seconds = Math.floor(Math.max(0, span) / second);
  return seconds < 10 ? `${seconds} s` : formatElapsed(seconds * second);
}

/**
 * Formats a duration exactly, as `parseDuration` reads it: "50 ms", "1.5 s", "4m 05s", "1h 30m",
 * "1d 00h 30m".
 */
export function formatDuration(span: number): string {
  if (span > 0 && span < second) return `${span} ms`;
  if (span < minute) return `${span / second} s`;
  const parts = [
    [Math.floor(span / day), "d"],
    [Math.floor((span % day) / hour), "h"],
    [Math.floor((span % hour) / minute), "m"],
  ] as const;
  const written = parts
    .slice(parts.findIndex(([amount]) => amount > 0))
    .map(([amount, unit], at) => `${at === 0 ? amount : twoDigits(amount)}${unit}`);
  const rest = span % minute;
  if (rest > 0 || span < hour) return [...written, `${twoDigits(rest / second)}s`].join(" ");
  while (written.length > 2 && written.at(-1)?.startsWith("00")) written.pop();
  return written.join(" ");
}

/** Pads the integer part to two digits and keeps decimals: "05", "00.25". */
function twoDigits(amount: number): string {
  return `${amount < 10 ? "0" : ""}${amount}`;
}

const units: Record<string, number> = {
  ms: 1,
  s: second,
  sec: second,
  second,
  seconds: second,
  m: minute,
  min: minute,
  minute,
  minutes: minute,
  h: hour,
  hour,
  hours: hour,
  d: day,
  day,
  days: day,
};

/**
 * Parses a duration as people write it: "30 min", "90 s", "1h 30m". A bare number is seconds.
 * Returns `undefined` for invalid text.
 */
export function parseDuration(text: string): number | undefined {
  const words = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(words)) return positive(Number(words) * second);
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

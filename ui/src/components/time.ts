/** A time as sent by the backend: ISO 8601 text or milliseconds since 1970. */
export type Timestamp = string | number;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export function toMilliseconds(moment: Timestamp): number {
  return typeof moment === "number" ? moment : Date.parse(moment);
}

/**
 * Formats a time relative to now: "now", "12 s ago", "5 min ago", "3 h ago", "2 days ago", then the
 * date; "in 5 min" for the future.
 */
export function formatRelativeTime(moment: Timestamp, now: number): string {
  const distance = now - toMilliseconds(moment);
  if (Number.isNaN(distance)) return "unknown";
  const away = Math.abs(distance);
  if (away < 5 * second) return "now";
  if (away >= 7 * day) return formatDate(moment, now);
  const amount = formatApproximateDuration(away);
  return distance > 0 ? `${amount} ago` : `in ${amount}`;
}

/**
 * Like `formatRelativeTime`, for a time that is past: one that the backend's clock puts ahead of
 * this one reads "now".
 */
export function formatPastTime(moment: Timestamp, now: number): string {
  return formatRelativeTime(moment, Math.max(now, toMilliseconds(moment)));
}

/** Formats a duration, rounded down to its largest unit: "12 s", "7 min", "3 h", "2 days". */
export function formatApproximateDuration(span: number): string {
  if (span < minute) return `${Math.floor(span / second)} s`;
  if (span < hour) return `${Math.floor(span / minute)} min`;
  if (span < day) return `${Math.floor(span / hour)} h`;
  const days = Math.floor(span / day);
  return days === 1 ? "1 day" : `${days} days`;
}

function formatDate(moment: Timestamp, now: number): string {
  const date = new Date(toMilliseconds(moment));
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString("en-US", {
    day: "numeric",
    month: "short",
    ...(!sameYear && { year: "numeric" }),
  });
}

/** Created once, on first use: creating a format takes longer than rendering the rest of a row. */
let exactFormat: Intl.DateTimeFormat | undefined;

/** Formats a time to the second, in the local time zone, with the zone's name. */
export function formatDateTime(moment: Timestamp): string {
  const date = new Date(toMilliseconds(moment));
  if (Number.isNaN(date.getTime())) return "unknown";
  exactFormat ??= new Intl.DateTimeFormat("en-US", {
    dateStyle: "medium",
    timeStyle: "long",
    hourCycle: "h23",
  });
  return exactFormat.format(date);
}

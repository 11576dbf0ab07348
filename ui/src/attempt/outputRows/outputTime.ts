const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Formats when a row was printed, from the start of the session: "0.012s", "4m 05.120s",
 * "1h 02m 03s". To the millisecond, unlike other durations, because rows are often close together.
 */
export function formatOffset(milliseconds: number): string {
  const span = Math.round(milliseconds);
  const seconds = (span % minute) / second;
  if (span < minute) return `${seconds.toFixed(3)}s`;
  const minutes = Math.floor((span % hour) / minute);
  if (span < hour) return `${minutes}m ${seconds.toFixed(3).padStart(6, "0")}s`;
  const hours = Math.floor(span / hour);
  return `${hours}h ${twoDigits(minutes)}m ${twoDigits(Math.floor(seconds))}s`;
}

function twoDigits(amount: number): string {
  return String(amount).padStart(2, "0");
}

import type { WorkTime } from "@/api/bindings";
import type { DurationProps } from "./Duration";
import { formatElapsed } from "./duration";

/** The times of a node that nothing was started for. */
export const noWorkTime: WorkTime = {
  workedMs: 0,
  waitedMs: 0,
  elapsedMs: null,
  workingSince: null,
};

/** A shorter wait is only the time that a start takes. */
const notableWaitMs = 1_000;

/**
 * The worked time of a node, an attempt or a session, as `Duration` shows it; undefined if nothing
 * was started. With `past`, the time up to that moment. The numbers are the backend's: only a live
 * attempt is added here, from its start until now.
 */
export function workedDuration(times: WorkTime, past?: number): DurationProps | undefined {
  const { workedMs, elapsedMs, workingSince } = times;
  if (workingSince === null) return elapsedMs === null ? undefined : { milliseconds: workedMs };
  if (workedMs === null) return { milliseconds: null };
  const since = workingSince - workedMs;
  return past === undefined ? { since } : { milliseconds: Math.max(0, past - since) };
}

/** How long it waited for its start, if that is worth mentioning: "waited 14 s". */
export function waitedText({ waitedMs }: WorkTime): string | undefined {
  return waitedMs < notableWaitMs ? undefined : `waited ${formatElapsed(waitedMs)}`;
}

/** The ended attempts in words, for tooltips: "Worked 2.0 s · waited 14 s · elapsed 16m 45s". */
export function workTimeTitle(times: WorkTime): string {
  const { workedMs, elapsedMs } = times;
  return [
    `Worked ${workedMs === null ? "for an unknown time" : formatElapsed(workedMs)}`,
    waitedText(times),
    elapsedMs !== null && `elapsed ${formatElapsed(elapsedMs)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

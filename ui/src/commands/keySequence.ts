import { create } from "zustand";

/** How long the second key of a shortcut is waited for, in milliseconds. */
export const sequenceTimeoutMs = 1_500;

/** The first chord of a shortcut with two, while the second is waited for. */
export const useKeySequence = create<{ pending: string | undefined }>(() => ({
  pending: undefined,
}));

let timer: ReturnType<typeof setTimeout> | undefined;

/** Waits for the second chord. */
export function beginSequence(chord: string): void {
  clearTimeout(timer);
  useKeySequence.setState({ pending: chord });
  timer = setTimeout(endSequence, sequenceTimeoutMs);
}

/** Stops waiting. */
export function endSequence(): void {
  clearTimeout(timer);
  useKeySequence.setState({ pending: undefined });
}

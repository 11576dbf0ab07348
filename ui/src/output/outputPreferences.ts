import { useMemo } from "react";
import { setAppStateValue, useAppState } from "@/shell/appState";

/** How outputs are shown. Stored for all of them. */
export interface OutputPreferences {
  /** Long rows continue below instead of beyond the right edge. */
  wrap: boolean;
  timestamps: boolean;
  lineNumbers: boolean;
}

const name = "output";

/** The stored preferences, and a function that changes some of them. */
export function useOutputPreferences(): [
  OutputPreferences,
  (change: Partial<OutputPreferences>) => void,
] {
  const stored = useAppState(({ ui }) => ui[name]);
  return useMemo(() => {
    const preferences = parsePreferences(stored);
    return [preferences, (change) => setAppStateValue(name, { ...preferences, ...change })];
  }, [stored]);
}

/** Reads stored preferences. Invalid values become the defaults. */
export function parsePreferences(value: unknown): OutputPreferences {
  const { wrap, timestamps, lineNumbers } = (value ?? {}) as Record<string, unknown>;
  return {
    wrap: wrap === true,
    timestamps: timestamps === true,
    lineNumbers: lineNumbers !== false,
  };
}

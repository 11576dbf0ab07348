import { useMemo } from "react";
import { setAppStateValue, useAppState } from "@/shell/appState";

/** How the texts of timelines are shown. Stored for all of them. */
export interface TextPreferences {
  /** Long lines continue below instead of beyond the right edge. */
  wrap: boolean;
  /** Off at first: what agents read from files has its own. */
  lineNumbers: boolean;
}

const name = "timelineText";

/** The stored preferences, and a function that changes some of them. */
export function useTextPreferences(): [
  TextPreferences,
  (change: Partial<TextPreferences>) => void,
] {
  const stored = useAppState(({ ui }) => ui[name]);
  return useMemo(() => {
    const { wrap, lineNumbers } = (stored ?? {}) as Record<string, unknown>;
    const preferences = { wrap: wrap !== false, lineNumbers: lineNumbers === true };
    return [preferences, (change) => setAppStateValue(name, { ...preferences, ...change })];
  }, [stored]);
}

import { useEffect, useMemo, useState } from "react";
import { showToast } from "@/components/toasts";
import { getAppStateValue, setAppStateValue, useAppState } from "@/shell/appState";
import { formatReturn, nextReturn, parseSnoozes, type Snoozes, withSnooze } from "./snooze";

/** Stored with the state of the window, so that it outlives a restart. */
const name = "snoozed";

/** The longest time that a browser's timer can wait. */
const maxTimerMs = 2 ** 31 - 1;

/** The snoozed items. Rerenders when one comes back. */
export function useSnoozes(): { snoozes: Snoozes; isSnoozed: (key: string) => boolean } {
  const stored = useAppState(({ ui }) => ui[name]);
  const snoozes = useMemo(() => parseSnoozes(stored), [stored]);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const next = nextReturn(snoozes, now);
    if (next === undefined) return;
    const wait = Math.min(maxTimerMs, Math.max(0, next - Date.now()) + 1);
    const timer = setTimeout(() => setNow(Date.now()), wait);
    return () => clearTimeout(timer);
  }, [snoozes, now]);
  return useMemo(
    () => ({ snoozes, isSnoozed: (key) => (snoozes[key] ?? 0) > now }),
    [snoozes, now],
  );
}

function store(key: string, until: number | undefined): void {
  const snoozes = parseSnoozes(getAppStateValue(name));
  setAppStateValue(name, withSnooze(snoozes, key, until, Date.now()));
}

/** Hides an item until a time. */
export function snooze(key: string, until: number): void {
  store(key, until);
  showToast({
    kind: "info",
    title: `Snoozed until ${formatReturn(until, new Date())}`,
    action: { label: "Undo", onAct: () => store(key, undefined) },
  });
}

/** Shows a snoozed item again. */
export function endSnooze(key: string): void {
  store(key, undefined);
}

import { getAppStateValue, setAppStateValue } from "@/shell/appState";

const name = "recentEntries";
const maxRecentEntries = 12;

/** The ids of recently chosen palette entries, latest first. Ignores invalid stored values. */
export function recentEntryIds(): readonly string[] {
  const stored = getAppStateValue(name);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
}

/** Moves an entry to the front of the recent ones. */
export function recordRecentEntry(id: string): void {
  setAppStateValue(
    name,
    [id, ...recentEntryIds().filter((other) => other !== id)].slice(0, maxRecentEntries),
  );
}

import { getAppStateValue, setAppStateValue } from "@/shell/appState";

const name = "recentEntries";
const maxRecentEntries = 12;

/** What was chosen in the palette lately, the latest first. From a file: what is no id is left out. */
export function recentEntryIds(): readonly string[] {
  const stored = getAppStateValue(name);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
}

/** Puts an entry in front of what was chosen lately. */
export function recordRecentEntry(id: string): void {
  setAppStateValue(
    name,
    [id, ...recentEntryIds().filter((other) => other !== id)].slice(0, maxRecentEntries),
  );
}

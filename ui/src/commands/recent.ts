import { remember, remembered } from "@/shell/appState";

const name = "recentEntries";
const most = 12;

/** What was chosen in the palette lately, the latest first. From a file: what is no id is left out. */
export function recentIds(): readonly string[] {
  const stored = remembered(name);
  return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
}

/** Puts an entry in front of what was chosen lately. */
export function noteChosen(id: string): void {
  remember(name, [id, ...recentIds().filter((other) => other !== id)].slice(0, most));
}

import { getAppStateValue, setAppStateValue } from "@/shell/appState";
import { asRecord } from "./keyBindings";

const name = "recentEntries";
/** How many are kept. Most rank the results of a search only. */
const maxRecentEntries = 30;
/** How many are shown at the top of the palette. */
export const maxShownRecent = 8;

/** An opened page. It has what its row shows, so that the palette needn't load the page's list. */
export interface RecentPage {
  /** The id of its row in the palette: the title of the source, a colon, and the choice's id. */
  id: string;
  label: string;
  detail?: string;
  address: string;
}

/** A command or a result is kept by its id, a page with its row. */
type RecentEntry = string | RecentPage;

const idOf = (entry: RecentEntry) => (typeof entry === "string" ? entry : entry.id);

/** Ignores stored values that are not understood: they may come from another version. */
function recentEntries(): readonly RecentEntry[] {
  const stored = getAppStateValue(name);
  return Array.isArray(stored) ? stored.flatMap(parseEntry) : [];
}

function parseEntry(stored: unknown): RecentEntry | [] {
  if (typeof stored === "string") return stored;
  const { id, label, detail, address } = asRecord(stored);
  const isPage = [id, label, address].every((text) => typeof text === "string");
  if (!isPage) return [];
  return { id, label, address, ...(typeof detail === "string" && { detail }) } as RecentPage;
}

/** The ids of recently chosen palette entries and opened pages, latest first. */
export function recentEntryIds(): readonly string[] {
  return recentEntries().map(idOf);
}

/** The latest opened pages of a source of the palette, such as "Blueprints". */
export function recentPagesOf(source: string): readonly RecentPage[] {
  return recentEntries()
    .slice(0, maxRecentEntries)
    .filter((entry) => typeof entry !== "string")
    .filter(({ id }) => id.startsWith(`${source}:`))
    .slice(0, maxShownRecent);
}

/** Moves an entry to the front of the recent ones. */
export function recordRecentEntry(id: string): void {
  record(recentEntries().find((entry) => idOf(entry) === id) ?? id);
}

/** Moves an opened page to the front of the recent ones, and updates its row. */
export function recordRecentPage(page: RecentPage): void {
  record(page);
}

function record(entry: RecentEntry): void {
  const others = recentEntries().filter((other) => idOf(other) !== idOf(entry));
  setAppStateValue(name, [entry, ...others].slice(0, maxRecentEntries));
}

let shown: ReadonlySet<string> = new Set();

/** Tells which pages are open: they need no way to get there. */
export function setShownPages(ids: readonly string[]): void {
  shown = new Set(ids);
}

export function isShownPage(id: string): boolean {
  return shown.has(id);
}

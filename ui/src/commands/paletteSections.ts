import type { PaletteEntry } from "./paletteEntries";
import { rankEntries } from "./ranking";
import { maxShownRecent } from "./recentEntries";

/** Rows under one heading. Search results have no heading and are sorted by relevance. */
export interface PaletteSection {
  heading: string | undefined;
  entries: readonly PaletteEntry[];
}

/** The visible rows of the palette, and how many more there are. */
export interface PaletteContent {
  sections: readonly PaletteSection[];
  more: number;
}

const maxResults = 60;
/** How many rows per source, other than commands, are shown without a search. */
const maxPerSourceUnsearched = 5;

/** The results of a search, best first. */
export function searchSections(entries: readonly PaletteEntry[], search: string): PaletteContent {
  const { best, found } = rankEntries(entries, search, maxResults);
  return { sections: [{ heading: undefined, entries: best }], more: found - best.length };
}

/**
 * The rows without a search: recent ones, all available commands, and a few results of each source.
 */
export function defaultSections(entries: readonly PaletteEntry[]): PaletteContent {
  const applying = entries.filter((entry) => entry.refusal === undefined);
  const recent = applying
    .filter((entry) => entry.recent !== undefined && !entry.isLate)
    .sort((one, other) => (one.recent ?? 0) - (other.recent ?? 0))
    .slice(0, maxShownRecent);
  const rest = applying.filter((entry) => !recent.includes(entry));
  const headings = [...new Set(rest.map((entry) => entry.section))];
  const sections = headings.map((heading) => {
    const inside = rest.filter((entry) => entry.section === heading);
    const all = inside.every(({ id }) => id.startsWith("command:"));
    return { heading, entries: all ? inside : inside.slice(0, maxPerSourceUnsearched) };
  });
  return { sections: [{ heading: "Recent", entries: recent }, ...sections], more: 0 };
}

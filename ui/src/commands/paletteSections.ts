import type { PaletteEntry } from "./paletteEntries";
import { rankEntries } from "./ranking";

/** Lines under one heading; none above what a search found, which stands in the order in which it fits. */
export interface PaletteSection {
  heading: string | undefined;
  entries: readonly PaletteEntry[];
}

/** What stands in the palette, and how much more there is that does not. */
export interface PaletteContent {
  sections: readonly PaletteSection[];
  more: number;
}

const maxResults = 60;
const maxRecent = 5;
/** How many of what is no command stand there before anybody searches. */
const maxPerSourceUnsearched = 5;

/** What a search finds, the best first. */
export function searchSections(entries: readonly PaletteEntry[], search: string): PaletteContent {
  const { best, found } = rankEntries(entries, search, maxResults);
  return { sections: [{ heading: undefined, entries: best }], more: found - best.length };
}

/** Before a search: what was chosen lately, every command that applies here, and a few of everything else. */
export function defaultSections(entries: readonly PaletteEntry[]): PaletteContent {
  const applying = entries.filter((entry) => entry.refusal === undefined);
  const recent = applying
    .filter((entry) => entry.recent !== undefined)
    .sort((one, other) => (one.recent ?? 0) - (other.recent ?? 0))
    .slice(0, maxRecent);
  const rest = applying.filter((entry) => !recent.includes(entry));
  const headings = [...new Set(rest.map((entry) => entry.section))];
  const sections = headings.map((heading) => {
    const inside = rest.filter((entry) => entry.section === heading);
    const all = inside.every(({ id }) => id.startsWith("command:"));
    return { heading, entries: all ? inside : inside.slice(0, maxPerSourceUnsearched) };
  });
  return { sections: [{ heading: "Recent", entries: recent }, ...sections], more: 0 };
}

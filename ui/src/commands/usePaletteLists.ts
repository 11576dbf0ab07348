import { useEffect, useMemo, useState } from "react";
import type { Choice } from "./command";
import { commandEntries, type PaletteEntry, sourceEntries, withRecent } from "./paletteEntries";
import { usePaletteSources } from "./paletteSources";

/** The content of the palette. Lists appear as they are loaded. */
export interface PaletteLists {
  entries: readonly PaletteEntry[];
  reading: boolean;
  /** The headings of sources that couldn't be loaded. */
  missing: readonly string[];
}

type Read = Record<string, readonly Choice[] | "failed">;

/** Loads every source once, along with the current commands. */
export function usePaletteLists(): PaletteLists {
  const sources = usePaletteSources((state) => state.sources);
  const [read, setRead] = useState<Read>({});

  useEffect(() => {
    let left = false;
    for (const { title, entries } of sources) {
      Promise.resolve(entries()).then(
        (choices) => left || setRead((before) => ({ ...before, [title]: choices })),
        () => left || setRead((before) => ({ ...before, [title]: "failed" })),
      );
    }
    return () => {
      left = true;
    };
  }, [sources]);

  const commands = useMemo(commandEntries, []);
  return useMemo(() => {
    const found = sources.flatMap((source) => {
      const choices = read[source.title];
      return sourceEntries(source, choices === "failed" ? undefined : choices);
    });
    return {
      entries: withRecent([...commands, ...found]),
      reading: sources.some(({ title }) => read[title] === undefined),
      missing: sources.filter(({ title }) => read[title] === "failed").map(({ title }) => title),
    };
  }, [commands, read, sources]);
}

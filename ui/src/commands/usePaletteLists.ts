import { useEffect, useMemo, useState } from "react";
import type { Choice } from "./command";
import { commandEntries, type PaletteEntry, sourceEntries, withRecent } from "./paletteEntries";
import { usePaletteSources } from "./paletteSources";

/** What the palette can show: lists come as they are read. */
export interface PaletteLists {
  entries: readonly PaletteEntry[];
  reading: boolean;
  /** The headings of what could not be read. */
  missing: readonly string[];
}

type Read = Record<string, readonly Choice[] | "failed">;

/** Reads every source once, and the commands as they stand. */
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
    const found = sources.flatMap(({ title }) => {
      const choices = read[title];
      return choices && choices !== "failed" ? sourceEntries(title, choices) : [];
    });
    return {
      entries: withRecent([...commands, ...found]),
      reading: sources.some(({ title }) => read[title] === undefined),
      missing: sources.filter(({ title }) => read[title] === "failed").map(({ title }) => title),
    };
  }, [commands, read, sources]);
}

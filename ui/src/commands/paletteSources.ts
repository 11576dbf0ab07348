import { useEffect } from "react";
import { create } from "zustand";
import type { Choices } from "./command";

/**
 * A list of items that the palette searches in addition to commands, such as blueprints, nodes or
 * sessions.
 */
export interface PaletteSource {
  /** The heading, such as "Blueprints". Unique among the sources. */
  title: string;
  /** Called once each time the palette opens. */
  entries: () => Choices;
}

/** The registered sources; those of the innermost component come first. */
export const usePaletteSources = create<{ sources: readonly PaletteSource[] }>(() => ({
  sources: [],
}));

/** Registers sources while the component is mounted. `more` must be memoized. */
export function useAddPaletteSources(more: readonly PaletteSource[]): void {
  useEffect(() => {
    usePaletteSources.setState(({ sources }) => ({ sources: [...more, ...sources] }));
    return () =>
      usePaletteSources.setState(({ sources }) => ({
        sources: sources.filter((source) => !more.includes(source)),
      }));
  }, [more]);
}

import { useEffect } from "react";
import { create } from "zustand";
import type { Choice, Choices } from "./command";

/**
 * A list of items that the palette searches in addition to commands, such as blueprints, nodes or
 * sessions.
 */
export interface PaletteSource {
  /** The heading, such as "Blueprints". Unique among the sources. */
  title: string;
  /** Called once each time the palette opens. */
  entries: () => Choices;
  /**
   * The recently opened ones, as far as they are known without loading anything. They are at the
   * top of the palette at once.
   */
  recent?: () => readonly Choice[];
  /** `entries` are all there are: recent ones that are not among them were deleted. */
  isComplete?: boolean;
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

import { useEffect } from "react";
import { create } from "zustand";
import type { Choices } from "./command";

/** A list of things that the palette finds beside commands: blueprints, nodes, sessions. */
export interface PaletteSource {
  /** The heading: "Blueprints". Tells it from the other sources. */
  title: string;
  /** Asked once each time the palette opens. */
  entries: () => Choices;
}

/** What can be found now, the innermost part of the window first. */
export const usePaletteSources = create<{ sources: readonly PaletteSource[] }>(() => ({
  sources: [],
}));

/** Lets the palette find what `more` lists for as long as the component is on screen. `more` keeps its identity. */
export function useAddPaletteSources(more: readonly PaletteSource[]): void {
  useEffect(() => {
    usePaletteSources.setState(({ sources }) => ({ sources: [...more, ...sources] }));
    return () =>
      usePaletteSources.setState(({ sources }) => ({
        sources: sources.filter((source) => !more.includes(source)),
      }));
  }, [more]);
}

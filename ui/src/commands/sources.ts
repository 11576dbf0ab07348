import { useEffect } from "react";
import { create } from "zustand";
import type { Choices } from "./command";

/** A list of things that the palette finds beside commands: blueprints, nodes, sessions. */
export interface Source {
  /** The heading: "Blueprints". Tells it from the other sources. */
  title: string;
  /** Asked once each time the palette opens. */
  entries: () => Choices;
}

/** What can be found now, the innermost part of the window first. */
export const useSources = create<{ sources: readonly Source[] }>(() => ({ sources: [] }));

/** Lets the palette find what `more` lists for as long as the component is on screen. `more` keeps its identity. */
export function useMoreSources(more: readonly Source[]): void {
  useEffect(() => {
    useSources.setState(({ sources }) => ({ sources: [...more, ...sources] }));
    return () =>
      useSources.setState(({ sources }) => ({
        sources: sources.filter((source) => !more.includes(source)),
      }));
  }, [more]);
}

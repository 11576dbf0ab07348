import { useMemo } from "react";
import { useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import { useCommands } from "@/commands/commandRegistry";
import { type PaletteSource, useAddPaletteSources } from "@/commands/paletteSources";
import { type Blueprint, useBlueprint } from "@/plan/blueprintContext";
import { kindSummary } from "@/plan/kindSummary";
import { displayTitle } from "@/plan/nodeText";
import { useEnrichmentChange, useStarredPlans } from "@/shell/enrichments";
import { blueprintHandlers } from "./blueprintHandlers";

/** Registers the commands of the open blueprint, and its nodes in the palette. */
export function useBlueprintCommands(): void {
  const blueprint = useBlueprint();
  const backend = useBackend();
  const navigate = useNavigate();
  const star = useStar(blueprint);
  const surroundings = useMemo(
    () => ({ backend, go: (address: string) => void navigate(address), star }),
    [backend, navigate, star],
  );
  useCommands(useMemo(() => blueprintHandlers(blueprint, surroundings), [blueprint, surroundings]));
  useAddPaletteSources(useMemo(() => [nodesOf(blueprint)], [blueprint]));
}

/** Returns accessors for the star of the open blueprint. */
function useStar({ editor }: Blueprint) {
  const note = useEnrichmentChange();
  const starred = useStarredPlans();
  return useMemo(() => {
    const { id } = editor.getState().plan;
    return {
      isThere: () => starred.has(id),
      put: (there: boolean) => void note("plan", id, { starred: there }),
    };
  }, [editor, note, starred]);
}

/** The nodes as palette entries. Choosing one selects it and scrolls it into view. */
function nodesOf({ editor, page }: Blueprint): PaletteSource {
  return {
    title: "Nodes",
    entries: () =>
      editor.getState().plan.nodes.map((node) => ({
        id: node.id,
        label: displayTitle(node.title),
        detail: kindSummary(node),
        keywords: node.slug,
        run: () => {
          editor.getState().select([node.id]);
          page.setState({ sideOpen: true });
          page.getState().canvas?.reveal(node.id);
        },
      })),
  };
}

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

/** Offers what can be done with the open blueprint, and lets the palette find its nodes. */
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

/** The star of the open blueprint, as it stands when it is asked for. */
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

/** The nodes of the working copy; one that is chosen is selected and brought into sight. */
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

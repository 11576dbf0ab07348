import { useMemo } from "react";
import { useNavigate } from "react-router";
import { useBackend } from "@/api/backendContext";
import { useOffer } from "@/commands/offers";
import { type Source, useMoreSources } from "@/commands/sources";
import { type Blueprint, useBlueprint } from "@/plan/blueprintContext";
import { actorWords } from "@/plan/kindSummary";
import { titleWords } from "@/plan/nodeWords";
import { useEnrichmentChange, useStarredPlans } from "@/shell/enrichments";
import { commandsOf } from "./commands";

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
  useOffer(useMemo(() => commandsOf(blueprint, surroundings), [blueprint, surroundings]));
  useMoreSources(useMemo(() => [nodesOf(blueprint)], [blueprint]));
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
function nodesOf({ editor, page }: Blueprint): Source {
  return {
    title: "Nodes",
    entries: () =>
      editor.getState().plan.nodes.map((node) => ({
        id: node.id,
        words: titleWords(node.title),
        detail: actorWords(node),
        also: node.slug,
        run: () => {
          editor.getState().select([node.id]);
          page.setState({ sideOpen: true });
          page.getState().canvas?.reveal(node.id);
        },
      })),
  };
}

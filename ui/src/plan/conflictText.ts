import { formatList } from "@/components/formatList";
import { quoteTitle } from "@/components/quotedTitle";
import type { SkippedStep } from "./history";

/** Texts for conflicts: the same thing was changed here and elsewhere. */

const maxNamedItems = 3;

/** "Build and Ship", "Build, Ship, Test and 4 more". */
function nameList(names: readonly string[]): string {
  const more = names.length - maxNamedItems;
  const named = more > 0 ? [...names.slice(0, maxNamedItems), `${more} more`] : names;
  return formatList(named);
}

/** The message while a conflict keeps the working copy from being saved. */
export function conflictText(names: readonly string[]): string {
  return `This blueprint was changed in another window or from the shell while you were editing it. Both changed ${nameList(names)}.`;
}

/** The toast for a step that could not be undone or redone. */
export function skippedStepToast(verb: "undone" | "redone", { label, collides }: SkippedStep) {
  return {
    kind: "info" as const,
    title: `${quoteTitle(label)} was not ${verb}`,
    detail: `${nameList(collides)} changed elsewhere in the meantime. That change is kept.`,
  };
}

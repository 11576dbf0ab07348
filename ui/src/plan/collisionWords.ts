import type { LostStep } from "./history";

/** What a person is told where two changed the same. */

const mostNamed = 3;

/** "Build and Ship", "Build, Ship, Test and 4 more". */
function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  const named = more > 0 ? [...names.slice(0, mostNamed), `${more} more`] : names;
  return new Intl.ListFormat("en-GB").format(named);
}

/** Why the working copy cannot be saved, as a sentence. */
export function conflictWords(names: readonly string[]): string {
  return `This blueprint was changed in another window or by the shell while you edited it, and both changed ${listed(names)}.`;
}

/** Why a step was not taken back, or not done again. */
export function lostWords(verb: "undone" | "done again", { label, collides }: LostStep) {
  return {
    kind: "info" as const,
    title: `“${label}” was not ${verb}`,
    detail: `${listed(collides)} changed elsewhere since, and that change stays.`,
  };
}

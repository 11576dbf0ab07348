import type { Team } from "@/api/bindings";

const namePattern = /^[a-z0-9][a-z0-9_-]*$/i;

/** What is wrong with the name of a team; an empty field is not scolded before somebody has typed. */
export function teamErrors(draft: Team, taken: readonly string[]): { name: string | undefined } {
  if (draft.name === "") return { name: undefined };
  if (!namePattern.test(draft.name)) {
    return { name: "Letters, digits, - and _ only, beginning with a letter or digit." };
  }
  return { name: taken.includes(draft.name) ? "Another team is called so." : undefined };
}

/** Whether the team can be saved. */
export function isTeamReady(draft: Team, errors: ReturnType<typeof teamErrors>): boolean {
  return draft.name !== "" && draft.members.length > 0 && errors.name === undefined;
}

/** The list with the item at `at` one place further up. */
export function moveUp(members: readonly string[], at: number): string[] {
  const moved = [...members];
  if (at > 0) moved.splice(at - 1, 2, ...moved.slice(at - 1, at + 1).reverse());
  return moved;
}

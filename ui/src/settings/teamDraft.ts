import type { Team } from "@/api/bindings";

const namePattern = /^[a-z0-9][a-z0-9_-]*$/i;

/** Validates the name of a team. An empty name is no error, but not ready either. */
export function teamErrors(draft: Team, taken: readonly string[]): { name: string | undefined } {
  if (draft.name === "") return { name: undefined };
  if (!namePattern.test(draft.name)) {
    return { name: "Use letters, digits, “-” and “_”. Start with a letter or digit." };
  }
  return { name: taken.includes(draft.name) ? "Another team has this name." : undefined };
}

/** Returns whether the team is complete and valid. */
export function isTeamReady(draft: Team, errors: ReturnType<typeof teamErrors>): boolean {
  return draft.name !== "" && draft.members.length > 0 && errors.name === undefined;
}

/** Moves the item at `at` one place up. */
export function moveUp(members: readonly string[], at: number): string[] {
  const moved = [...members];
  if (at > 0) moved.splice(at - 1, 2, ...moved.slice(at - 1, at + 1).reverse());
  return moved;
}

/**
 * The state of a navigation to a blueprint that opens a terminal there. It isn't part of the address,
 * so that no link from outside can open one.
 */
export const terminalNavigation = { opensTerminal: true } as const;

/** Reports whether a navigation asks for a terminal. */
export function opensTerminal(state: unknown): boolean {
  return typeof state === "object" && state !== null && "opensTerminal" in state;
}

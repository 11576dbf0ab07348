let saved: { address: string; line: number } | undefined;

/**
 * Remembers the row opened last, so that going back restores the position in the list. Lost on
 * reload.
 */
export const lastOpenedRow = {
  keep(address: string, line: number): void {
    saved = { address, line };
  },

  /** Returns the saved line for the list at this address, or -1. */
  in(address: string): number {
    return saved?.address === address ? saved.line : -1;
  },
};

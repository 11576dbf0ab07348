let saved: { address: string; line: number } | undefined;

/** The line of a list that was opened last, so that going back finds the list where it was. Lasts as long as the window. */
export const lastOpenedRow = {
  keep(address: string, line: number): void {
    saved = { address, line };
  },

  /** The line that was kept for the list at this address, or -1. */
  in(address: string): number {
    return saved?.address === address ? saved.line : -1;
  },
};

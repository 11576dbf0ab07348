/** The element that holds the lines of the palette. */
export const listId = "palette-lines";

/** The element of one line. Ids of entries may hold anything, spaces too. */
export function lineId(entry: string): string {
  return `palette-${encodeURIComponent(entry)}`;
}

/** The id of the element with the palette's rows. */
export const listId = "palette-lines";

/** The id of a row's element. Entry ids may contain any characters. */
export function lineId(entry: string): string {
  return `palette-${encodeURIComponent(entry)}`;
}

/** The beginning of a text that is too long to be shown at once. */
export interface TruncatedText {
  shown: string;
  /** How many characters stay out of sight. */
  hiddenCharacters: number;
}

const maxLineLength = 400;

/** Cuts `text` to so many lines; a line without end counts as several. A single hidden line is not worth a button. */
export function truncateText(text: string, lines: number): TruncatedText {
  const most = lines * maxLineLength;
  let end = 0;
  for (let line = 0; line < lines && end !== -1; line += 1) end = text.indexOf("\n", end + 1);
  const cut = end === -1 || text.indexOf("\n", end + 1) === -1 ? text.length : end;
  const shown = text.slice(0, Math.min(cut, most));
  return { shown, hiddenCharacters: text.length - shown.length };
}

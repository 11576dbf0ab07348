/** A text that may be truncated. */
export interface TruncatedText {
  shown: string;
  /** The number of characters cut off; 0 if the text is complete. */
  hiddenCharacters: number;
}

const maxLineLength = 400;

/**
 * Truncates `text` to a number of lines; a very long line counts as several. Never hides just one
 * line.
 */
export function truncateText(text: string, lines: number): TruncatedText {
  const most = lines * maxLineLength;
  let end = 0;
  for (let line = 0; line < lines && end !== -1; line += 1) end = text.indexOf("\n", end + 1);
  const cut = end === -1 || text.indexOf("\n", end + 1) === -1 ? text.length : end;
  const shown = text.slice(0, Math.min(cut, most));
  return { shown, hiddenCharacters: text.length - shown.length };
}

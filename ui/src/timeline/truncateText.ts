/** A text that may be truncated. */
export interface TruncatedText {
  shown: string;
  /** The number of characters cut off; 0 if the text is complete. */
  hiddenCharacters: number;
}

const maxLineLength = 400;
/** A button for less than this would hide more than it saves. */
const minHiddenCharacters = 1_000;
const minHiddenShare = 0.3;

/**
 * Truncates `text` to a number of lines; a very long line counts as several. Never hides just a
 * little: a text that exceeds the limit by less than 30 % or 1 KB is complete.
 */
export function truncateText(text: string, lines: number): TruncatedText {
  const most = lines * maxLineLength;
  let end = 0;
  for (let line = 0; line < lines && end !== -1; line += 1) end = text.indexOf("\n", end + 1);
  const cut = Math.min(end === -1 ? text.length : end, most);
  const hidden = text.length - cut;
  const hiddenLines = countLines(text, cut, lines * 2);
  const isLittle =
    hidden < minHiddenCharacters ? hiddenLines <= lines : hidden < cut * minHiddenShare;
  if (hidden === 0 || isLittle) return { shown: text, hiddenCharacters: 0 };
  return { shown: text.slice(0, cut), hiddenCharacters: hidden };
}

/** Counts the lines after `start`, at most `most`. */
function countLines(text: string, start: number, most: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && count < most; count += 1) {
    at = text.indexOf("\n", at + 1);
  }
  return count;
}

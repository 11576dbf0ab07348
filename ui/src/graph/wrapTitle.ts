/** Wraps the titles of painted nodes. Pure, apart from a cache. */

const knownRows = new Map<string, readonly string[]>();
/** When the cache reaches this size, it is cleared. */
const maxCachedTitles = 20_000;

/** Wraps a title into one or two rows, with an ellipsis if it is cut. */
export function wrapTitle(
  context: Pick<CanvasRenderingContext2D, "measureText">,
  title: string,
  size: number,
  width: number,
  most: 1 | 2 = 2,
): readonly string[] {
  const key = `${size} ${width} ${most} ${title}`;
  const known = knownRows.get(key);
  if (known) return known;
  if (knownRows.size >= maxCachedTitles) knownRows.clear();
  const fits = (text: string) => context.measureText(text).width <= width;
  const [first, rest] = most === 1 ? [cut(title, fits), ""] : split(title, fits);
  const cutRows = rest === "" ? [first] : [first, cut(rest, fits)];
  const rows = isRightToLeft(title) ? cutRows.map(isolated) : cutRows;
  knownRows.set(key, rows);
  return rows;
}

/** Whether the first letter with a direction is of a script that is written from right to left. */
function isRightToLeft(text: string): boolean {
  const letter = /\p{L}/u.exec(text)?.[0] ?? "";
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    letter,
  );
}

/** In a row from left to right, the ellipsis would be painted at the beginning of the text. */
function isolated(row: string): string {
  return `\u2067${row}\u2069`;
}

/** Splits off as many whole words as fit; from a word that is too long, as many letters. */
function split(title: string, fits: (text: string) => boolean): [string, string] {
  if (fits(title)) return [title, ""];
  const words = title.split(" ");
  let [row, count] = ["", 0];
  for (const word of words) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (!fits(longer)) break;
    [row, count] = [longer, count + 1];
  }
  if (count > 0) return [row, words.slice(count).join(" ")];
  const letters = lettersThatFit(title, fits);
  return [title.slice(0, letters), title.slice(letters)];
}

function cut(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  return `${text.slice(
    0,
    lettersThatFit(text, (part) => fits(`${part}…`)),
  )}…`;
}

function lettersThatFit(text: string, fits: (text: string) => boolean): number {
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

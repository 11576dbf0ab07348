/** How the title of a node stands in a drawing, where nothing breaks lines by itself. Pure but for what it remembers. */

const knownRows = new Map<string, readonly string[]>();
/** Titles that are forgotten together, once there are so many. */
const maxCachedTitles = 20_000;

/** A title on at most two rows, or on one, with an ellipsis where it is cut. */
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
  const rows = rest === "" ? [first] : [first, cut(rest, fits)];
  knownRows.set(key, rows);
  return rows;
}

/** As many whole words as fit, and the rest; of a word that is too long, as many letters. */
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

/** The address of a web page in a row's text. */
export interface WebLink {
  start: number;
  end: number;
  address: string;
}

const schemes = ["http://", "https://"] as const;

/** Characters that end an address in running text. */
const delimiters = new Set([..." \t\"'<>`{}|\\^\u00a0"]);

/** Punctuation after an address rather than part of it. */
const trailing = new Set([...".,;:!?*_~"]);

const brackets: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

/** Reports whether a link leads to a web page. Others, such as `file:`, are never opened. */
export function isWebAddress(address: string): boolean {
  if (!schemes.some((scheme) => address.toLowerCase().startsWith(scheme))) return false;
  return URL.canParse(address);
}

/** Finds web addresses in a row, in order. Reads each character a bounded number of times. */
export function webLinks(text: string): WebLink[] {
  const links: WebLink[] = [];
  let from = 0;
  while (from < text.length) {
    const start = nextScheme(text, from);
    if (start < 0) break;
    const end = endOfAddress(text, start);
    const address = text.slice(start, end);
    if (isWebAddress(address)) links.push({ start, end, address });
    from = Math.max(end, start + 4);
  }
  return links;
}

function nextScheme(text: string, from: number): number {
  let at = text.indexOf("http", from);
  while (at >= 0 && !schemes.some((scheme) => text.startsWith(scheme, at)))
    at = text.indexOf("http", at + 4);
  return at;
}

function endOfAddress(text: string, start: number): number {
  let end = start;
  while (end < text.length && !delimiters.has(text[end] ?? "")) end += 1;
  const open: Record<string, number> = {};
  for (let at = start; at < end; at += 1) {
    const sign = text[at] ?? "";
    open[sign] = (open[sign] ?? 0) + 1;
  }
  while (end > start) {
    const last = text[end - 1] ?? "";
    const opening = brackets[last];
    // A bracket belongs to the address if the address opens it.
    const isUnbalanced = opening !== undefined && (open[last] ?? 0) > (open[opening] ?? 0);
    if (!trailing.has(last) && !isUnbalanced) break;
    open[last] = (open[last] ?? 0) - 1;
    end -= 1;
  }
  return end;
}

import type { OutputHit, OutputRow, TerminalStyle } from "@/api/bindings";
import { type FileLink, fileLinks } from "./fileLinks";
import { isWebAddress, type WebLink, webLinks } from "./webLinks";

/** A part of a row that looks the same throughout. */
export interface RowSpan {
  start: number;
  text: string;
  style: TerminalStyle | undefined;
  /** It is a match of the search. */
  mark: "match" | "current" | undefined;
  /** The address of a web page. */
  address: string | undefined;
  file: FileLink | undefined;
}

/** What is marked in a row. */
export interface RowMarks {
  hits: readonly OutputHit[];
  current: OutputHit | undefined;
  /** Places in files become links. */
  files: boolean;
}

interface Range {
  start: number;
  end: number;
}

/** Cuts the text of a row where its style, a match or a link begins or ends. */
export function splitRow(row: OutputRow, marks: RowMarks): RowSpan[] {
  const { text, styles } = row;
  const web = webLinks(text);
  const files = marks.files ? fileLinks(text).filter((link) => !overlapsAny(web, link)) : [];
  const hits = marks.hits.filter((hit) => hit.end > hit.start);
  const cuts = cutsOf(text.length, [styles, hits, web, files]);
  const cursors = {
    style: cursor(styles),
    hit: cursor(hits),
    web: cursor(web),
    file: cursor(files),
  };
  return cuts.slice(0, -1).map((start, at) => {
    const style = cursors.style(start)?.style;
    const hit = cursors.hit(start);
    return {
      start,
      text: text.slice(start, cuts[at + 1]),
      style,
      mark: hit && (isSame(hit, marks.current) ? "current" : "match"),
      address: addressOf(style, cursors.web(start)),
      file: cursors.file(start),
    };
  });
}

/** A link of the program takes precedence over an address in the text. */
function addressOf(style: TerminalStyle | undefined, link: WebLink | undefined) {
  if (style?.link !== undefined) return isWebAddress(style.link) ? style.link : undefined;
  return link?.address;
}

/** All positions where something begins or ends, in order, with both ends of the text. */
function cutsOf(length: number, lists: readonly (readonly Range[])[]): number[] {
  const cuts = new Set([0, length]);
  for (const { start, end } of lists.flat())
    for (const cut of [start, end]) if (cut > 0 && cut < length) cuts.add(cut);
  return [...cuts].sort((a, b) => a - b);
}

/** Finds the range at growing positions; the ranges are in order. */
function cursor<R extends Range>(ranges: readonly R[]): (position: number) => R | undefined {
  let at = 0;
  return (position) => {
    while ((ranges[at]?.end ?? Number.POSITIVE_INFINITY) <= position) at += 1;
    const range = ranges[at];
    return range && range.start <= position ? range : undefined;
  };
}

function overlapsAny(ranges: readonly Range[], { start, end }: Range): boolean {
  return ranges.some((range) => start < range.end && end > range.start);
}

function isSame(one: OutputHit, other: OutputHit | undefined): boolean {
  return other !== undefined && one.row === other.row && one.start === other.start;
}

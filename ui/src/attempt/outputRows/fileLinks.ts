import type { FilePlace } from "../filePlace";

/** A place in a file that a row's text names. */
export interface FileLink {
  /** Where the name begins and ends in the text, with line and column. */
  start: number;
  end: number;
  path: string;
  line: number;
  column: number | undefined;
}

/** Opens a place in a file for a person. */
export type OpenPath = (place: FilePlace) => void;

/** Names without a folder count as files only with one of these extensions. */
const sourceExtensions = new Set(
  (
    "astro bash bat bzl c cc cfg cjs clj cmake conf cpp cs css csv cts cxx dart ex exs fish fs " +
    "go gradle graphql groovy h hbs hpp hs htm html ini ipynb java jl js json jsx kt kts less lock " +
    "log lua m md mdx mjs ml mli mm mts nim nix php pl pm proto ps1 py pyi r rb rs rst sass scala " +
    "scss sh sol sql svelte svg swift tex tf toml ts tsx txt v vue xml yaml yml zig zsh"
  ).split(" "),
);

/** Files without an extension that tools report lines of. */
const knownNames = new Set(["Makefile", "Dockerfile", "Justfile", "justfile", "Gemfile", "BUILD"]);

/** Characters that don't occur in the paths that are recognized. */
const delimiters = new Set([..." \t\"'`()<>[]{}|,;:=*?\u00a0"]);

/** A line, a column and where they end. */
interface Place {
  line: number;
  column: number | undefined;
  end: number;
}

/**
 * Finds places in files in a row, in order: `src/a.rs:42:7`, `a.ts(3,5)`, `File "a.py", line 3`,
 * `file:///a.js:10:5`. Every character is read a bounded number of times, whatever the text is:
 * it comes from a program and may be hostile.
 */
export function fileLinks(text: string): FileLink[] {
  const links: FileLink[] = [];
  // A path doesn't reach back behind an earlier candidate, so nothing is read twice.
  let floor = 0;
  let at = 0;
  while (at < text.length) {
    const found = linkAt(text, at, floor);
    if (found.link) links.push(found.link);
    if (found.next > at + 1 || found.link) floor = found.next;
    at = found.next;
  }
  return links;
}

/** The link whose line number is introduced at `at`, and where to continue. */
function linkAt(text: string, at: number, floor: number): { link?: FileLink; next: number } {
  const sign = text[at];
  if (sign === ":") return colonLink(text, at, floor);
  if (sign === "(") return bracketLink(text, at, floor);
  if (sign === '"') return pythonLink(text, at, floor);
  return { next: at + 1 };
}

function colonLink(text: string, at: number, floor: number) {
  const place = placeAfter(text, at, ":");
  if (!place) return { next: at + 1 };
  const start = startOfPath(text, at, floor);
  return linkTo(text.slice(start, at), start, place);
}

/** `src/a.ts(3,5)`. A column is required, because `f(3)` is a call. */
function bracketLink(text: string, at: number, floor: number) {
  const place = placeAfter(text, at, ",");
  if (place?.column === undefined || text[place.end] !== ")") return { next: at + 1 };
  const start = startOfPath(text, at, floor);
  return linkTo(text.slice(start, at), start, { ...place, end: place.end + 1 });
}

const pythonMark = '", line ';
const pythonStart = 'File "';

/** `File "a b.py", line 3`: here the path may contain spaces. */
function pythonLink(text: string, at: number, floor: number) {
  if (!text.startsWith(pythonMark, at)) return { next: at + 1 };
  const { value: line, end } = numberAt(text, at + pythonMark.length);
  const start = floor + text.slice(floor, at).lastIndexOf(pythonStart);
  if (line === undefined || start < floor) return { next: at + pythonMark.length };
  const path = text.slice(start + pythonStart.length, at);
  if (path === "" || path.startsWith("<")) return { next: end };
  return { link: { start, end, path, line, column: undefined }, next: end };
}

function linkTo(written: string, start: number, place: Place) {
  const { line, column, end } = place;
  const path = pathFrom(written);
  if (path === undefined) return { next: end };
  return { link: { start, end, path, line, column }, next: end };
}

/** Reads `<sign>line` and perhaps `<separator>column`. */
function placeAfter(text: string, at: number, separator: ":" | ","): Place | undefined {
  const line = numberAt(text, at + 1);
  if (line.value === undefined || line.value === 0) return undefined;
  const column = text[line.end] === separator ? numberAt(text, line.end + 1) : undefined;
  if (column?.value === undefined) return { line: line.value, column: undefined, end: line.end };
  return { line: line.value, column: column.value, end: column.end };
}

/** Reads a number of at most 7 digits. */
function numberAt(text: string, start: number): { value: number | undefined; end: number } {
  let end = start;
  while (isDigit(text[end]) && end - start < 8) end += 1;
  const isNumber = end > start && end - start < 8;
  return { value: isNumber ? Number(text.slice(start, end)) : undefined, end };
}

function isDigit(sign: string | undefined): boolean {
  return sign !== undefined && sign >= "0" && sign <= "9";
}

function startOfPath(text: string, end: number, floor: number): number {
  let start = end;
  while (start > floor && !delimiters.has(text[start - 1] ?? "")) start -= 1;
  if (text[start - 1] !== ":") return start;
  if (text.startsWith("//", start)) {
    const scheme = start - "file:".length;
    return scheme >= floor && text.startsWith("file:", scheme) ? scheme : start;
  }
  // A Windows drive: `C:\a.rs`.
  const isDrive = /[\\/]/.test(text[start] ?? "") && /[A-Za-z]/.test(text[start - 2] ?? "");
  const before = text[start - 3];
  const stands = start - 2 === floor || before === undefined || delimiters.has(before);
  return isDrive && start - 2 >= floor && stands ? start - 2 : start;
}

/** The path in a text, or `undefined` if it doesn't look like one. */
function pathFrom(written: string): string | undefined {
  if (written.startsWith("file://")) return localPath(written);
  // The rest of a web address: `//host:80`.
  if (written.startsWith("//")) return undefined;
  const name = written.slice(Math.max(written.lastIndexOf("/"), written.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return knownNames.has(name) ? written : undefined;
  const extension = name.slice(dot + 1);
  if (sourceExtensions.has(extension.toLowerCase())) return written;
  const hasFolder = name.length < written.length;
  return hasFolder && /^[A-Za-z]\w{0,9}$/.test(extension) ? written : undefined;
}

function localPath(address: string): string | undefined {
  try {
    const { host, pathname } = new URL(address);
    return host === "" ? decodeURIComponent(pathname) : undefined;
  } catch {
    return undefined;
  }
}

import type { DiffHunk } from "@/api/bindings";

/** What a call would change in one file. */
export interface FileChange {
  path: string;
  hunks: DiffHunk[];
  /** Whatever else the call says, as JSON; empty when there is nothing. */
  otherInput: string;
}

/** Lines before and after a change that are shown with it. */
const contextLines = 3;

/** The change that a call would make, where its input tells: the whole file, or texts that replace others. */
export function parseFileChange(tool: string, input: unknown): FileChange | undefined {
  if (!isRecord(input)) return undefined;
  const { file_path: path, ...rest } = input;
  if (typeof path !== "string") return undefined;
  switch (tool.toLowerCase()) {
    case "write":
    case "write_file": {
      const { content, ...others } = rest;
      if (typeof content !== "string") return undefined;
      return { path, hunks: [makeHunk("", content)], otherInput: formatRemaining(others) };
    }
    case "edit":
    case "replace": {
      const { old_string: before, new_string: after, ...others } = rest;
      if (typeof before !== "string" || typeof after !== "string") return undefined;
      return { path, hunks: [makeHunk(before, after)], otherInput: formatRemaining(others) };
    }
    default:
      return undefined;
  }
}

/** Where in the file the text stands is not known, so lines count from the beginning of the text. */
function makeHunk(before: string, after: string): DiffHunk {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  const room = Math.min(old.length, fresh.length) - head;
  while (tail < room && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  const first = Math.max(0, head - contextLines);
  const last = Math.min(old.length, old.length - tail + contextLines);
  return {
    oldStart: first + 1,
    newStart: first + 1,
    lines: [
      ...old.slice(first, head).map((line) => ` ${line}`),
      ...old.slice(head, old.length - tail).map((line) => `-${line}`),
      ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
      ...old.slice(old.length - tail, last).map((line) => ` ${line}`),
    ],
  };
}

function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  // The end of the last line is no line of its own.
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function formatRemaining(rest: Record<string, unknown>): string {
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

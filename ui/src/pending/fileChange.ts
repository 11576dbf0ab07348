import type { DiffHunk } from "@/api/bindings";

/** The change that a tool call would make to one file. */
export interface FileChange {
  path: string;
  hunks: DiffHunk[];
  /** The remaining input as JSON; empty when there is none. */
  otherInput: string;
}

/** Unchanged lines shown before and after a change. */
const contextLines = 3;

/** Returns the file change of a known write or edit tool, or `undefined` for other calls. */
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

/** The position in the file is unknown, so line numbers count from the start of the text. */
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
  // A trailing newline does not start another line.
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function formatRemaining(rest: Record<string, unknown>): string {
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

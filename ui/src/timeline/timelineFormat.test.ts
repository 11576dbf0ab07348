import { expect, test } from "vitest";
import { formatCommandLine, formatPlaybackTime } from "@/attempt/attemptFormat";
import { diffLineKey, diffRows, diffSize, hunkLines } from "@/attempt/diffRows";
import { makeEntry, makeTextEntry, makeToolCall } from "@/attempt/timelineFixture";
import { describeToolGroup, formatToolInput, toolVerb } from "@/attempt/toolCategory";
import { formatBytes } from "@/components/formatBytes";
import { isError, isOpenByDefault, isQuestion, matchesFilter } from "./entryFilters";
import { allEntries, filteredEntries } from "./entrySequence";
import { timelineKey } from "./timelineKeys";
import { initialTimelineView, timelineViewReducer } from "./timelineView";
import { truncateText } from "./truncateText";
import { nextHit } from "./useTimelineSearch";

test("failed tools and errors are expanded; denied tools are not", () => {
  const failed = makeToolCall(0, "Bash", "make", { ok: false });
  const denied = makeToolCall(0, "Bash", "rm", { ok: false, denied: true });
  const error = makeEntry(0, { type: "error", text: "x" });
  expect([failed, denied, error, makeToolCall(0, "Bash", "x", null)].map(isError)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(isOpenByDefault(failed)).toBe(true);
  expect(isQuestion(denied)).toBe(false);
});

test("each filter matches its own kinds", () => {
  const all = [
    makeTextEntry(0),
    makeToolCall(1, "Read", "x"),
    makeEntry(2, { type: "error", text: "x" }),
    makeEntry(3, { type: "output", stream: "stderr", text: "x" }),
    makeEntry(4, { type: "retry", attempt: 1, max: 10, delayMs: 1, reason: "x" }),
  ];
  const shown = (filter: Parameters<typeof matchesFilter>[0]) =>
    all.filter((entry) => matchesFilter(filter, entry)).map((entry) => entry.seq);
  expect(shown("all")).toEqual([0, 1, 2, 3, 4]);
  expect(shown("text")).toEqual([0]);
  expect(shown("tools")).toEqual([1]);
  expect(shown("errors")).toEqual([2, 4]);
  expect(shown("output")).toEqual([3]);
});

test("a diff counts its lines on both sides", () => {
  const hunks = [
    { oldStart: 3, newStart: 3, lines: [" a", "-b", "+c", "+d", "\\ No newline at end of file"] },
    { oldStart: 40, newStart: 41, lines: [" z"] },
  ];
  expect(diffRows(hunks)).toEqual([
    { kind: "same", oldLine: 3, newLine: 3, text: "a" },
    { kind: "removed", oldLine: 4, text: "b" },
    { kind: "added", newLine: 4, text: "c" },
    { kind: "added", newLine: 5, text: "d" },
    { kind: "gap" },
    { kind: "same", oldLine: 40, newLine: 41, text: "z" },
  ]);
  expect(diffSize(hunks)).toEqual({ added: 2, removed: 1 });
});

test("truncates text unless only a little would be hidden", () => {
  const long = "line\n".repeat(1_000);
  expect(truncateText(long, 3)).toEqual({ shown: "line\nline\nline", hiddenCharacters: 4_986 });
  expect(truncateText("a\nb\nc\nd\ne", 3).hiddenCharacters, "never for a few bytes").toBe(0);
  expect(truncateText("x\n".repeat(225), 20).hiddenCharacters, "many short lines").toBe(411);
  expect(truncateText("", 3)).toEqual({ shown: "", hiddenCharacters: 0 });
  expect(truncateText("x".repeat(5_000), 3).shown.length, "a very long line is truncated too").toBe(
    1_200,
  );
  expect(truncateText("x".repeat(10_000), 20).hiddenCharacters, "less than 30 %").toBe(0);
});

test("lines whose place is unknown have no numbers and no key", () => {
  const [first, second] = hunkLines({ oldStart: 0, newStart: 0, lines: [" a", "-b"] });
  expect([first, second]).toEqual([
    { kind: "same", text: "a" },
    { kind: "removed", text: "b" },
  ]);
  expect(first && diffLineKey(first)).toBeUndefined();
  const lines = hunkLines({ oldStart: 4, newStart: 6, lines: [" a", "-b", "+c"] });
  expect(lines.map(diffLineKey)).toEqual(["new:6", "old:5", "new:7"]);
});

test("tools have verbs, and shell calls show the command", () => {
  expect(toolVerb("Bash")).toBe("Run");
  expect(toolVerb("mcp__tracker__close")).toBe("mcp__tracker__close");
  expect(formatToolInput("Bash", { command: "ls -l", timeout: 5 })).toBe("ls -l");
  expect(formatToolInput("Edit", { a: 1 })).toBe('{\n  "a": 1\n}');
  expect(formatToolInput("Odd", null)).toBe("null");
  const calls = [
    makeToolCall(0, "Read", "a"),
    makeToolCall(1, "Grep", "b"),
    makeToolCall(2, "Read", "c"),
  ];
  expect(describeToolGroup(calls)).toBe("Read 2 files, searched once");
  expect(describeToolGroup(calls.slice(1, 2))).toBe("Searched once");
});

test("formats sizes, playback times and commands", () => {
  expect([1, 812, 8_200, 999_949, 1_200_000].map(formatBytes)).toEqual([
    "1 byte",
    "812 bytes",
    "8.2 KB",
    "999.9 KB",
    "1.2 MB",
  ]);
  expect([-5, 42_000, 3_723_000].map(formatPlaybackTime)).toEqual(["0:00", "0:42", "1:02:03"]);
  expect(formatCommandLine(["sh", "-c", "echo 'a b'"])).toBe("sh -c 'echo '\\''a b'\\'''");
});

test("a filtered sequence finds positions of missing entries", () => {
  const some = filteredEntries("errors", [4, 9, 20]);
  expect([0, 4, 5, 9, 21].map(some.placeOf)).toEqual([0, 0, 1, 1, 2]);
  expect(some.at(2)).toBe(20);
  expect(filteredEntries("errors", []).placeOf(7)).toBe(0);
  expect(allEntries(3).placeOf(2)).toBe(2);
});

test("search hits wrap around", () => {
  expect(nextHit([3, 7], undefined, 1)).toBe(3);
  expect(nextHit([3, 7], 3, 1)).toBe(7);
  expect(nextHit([3, 7], 7, 1)).toBe(3);
  expect(nextHit([3, 7], 3, -1)).toBe(7);
  expect(nextHit([], 3, 1)).toBeUndefined();
});

test("ignores keys with modifiers except Control+F", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  expect(timelineKey({ ...plain, key: "j" })).toEqual({ act: "step", by: 1 });
  expect(timelineKey({ ...plain, key: "E", shiftKey: true })).toEqual({
    act: "jump",
    target: "error",
    step: -1,
  });
  expect(timelineKey({ ...plain, key: "j", ctrlKey: true })).toBeUndefined();
  expect(timelineKey({ ...plain, key: "f", ctrlKey: true })).toEqual({ act: "find" });
});

test("manually expanded entries stay expanded", () => {
  let view = initialTimelineView(true);
  view = timelineViewReducer(view, { act: "open", seq: 5, open: true });
  view = timelineViewReducer(view, { act: "group", first: 9, open: true });
  view = timelineViewReducer(view, { act: "filter", filter: "errors" });
  view = timelineViewReducer(view, { act: "group", first: 9, open: false });
  expect(view).toMatchObject({ filter: "errors", following: true });
  expect(view.opened.get(5)).toBe(true);
  expect(view.groups.size).toBe(0);
  expect(
    timelineViewReducer(view, { act: "follow", following: true }),
    "no change, no render",
  ).toBe(view);
});

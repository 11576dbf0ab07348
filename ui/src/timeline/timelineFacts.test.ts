import { expect, test } from "vitest";
import { diffRows, diffSize } from "@/attempt/diffRows";
import { callOf, entryOf, textOf } from "@/attempt/timelineFixture";
import { groupWords, inputText, toolVerb } from "@/attempt/tools";
import { clockWords, quotedCommand } from "@/attempt/words";
import { formatBytes } from "@/components/formatBytes";
import { isError, isQuestion, opensItself, passes } from "./entryFacts";
import { foldText } from "./foldedText";
import { allEntries, someEntries } from "./sequence";
import { timelineKey } from "./timelineKeys";
import { actOn, freshView } from "./timelineView";
import { hitFrom } from "./useTimelineSearch";

test("a failed tool and an error open by themselves; a refused tool is a decision", () => {
  const failed = callOf(0, "Bash", "make", { ok: false });
  const denied = callOf(0, "Bash", "rm", { ok: false, denied: true });
  const error = entryOf(0, { type: "error", text: "x" });
  expect([failed, denied, error, callOf(0, "Bash", "x", null)].map(isError)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(opensItself(failed)).toBe(true);
  expect(isQuestion(denied)).toBe(false);
});

test("each filter lets its own kinds through", () => {
  const all = [
    textOf(0),
    callOf(1, "Read", "x"),
    entryOf(2, { type: "error", text: "x" }),
    entryOf(3, { type: "output", stream: "stderr", text: "x" }),
    entryOf(4, { type: "retry", attempt: 1, max: 10, delayMs: 1, reason: "x" }),
  ];
  const shown = (filter: Parameters<typeof passes>[0]) =>
    all.filter((entry) => passes(filter, entry)).map((entry) => entry.seq);
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

test("a text folds after so many lines, unless a single one would hide", () => {
  expect(foldText("a\nb\nc\nd\ne", 3)).toEqual({
    shown: "a\nb\nc",
    hiddenCharacters: 4,
  });
  expect(foldText("a\nb\nc\nd", 3).hiddenCharacters).toBe(0);
  expect(foldText("", 3)).toEqual({ shown: "", hiddenCharacters: 0 });
  expect(foldText("x".repeat(5_000), 3).shown.length, "a line without end is cut too").toBe(1_200);
});

test("tools have a verb, and a shell call shows its command", () => {
  expect(toolVerb("Bash")).toBe("Run");
  expect(toolVerb("mcp__tracker__close")).toBe("mcp__tracker__close");
  expect(inputText("Bash", { command: "ls -l", timeout: 5 })).toBe("ls -l");
  expect(inputText("Edit", { a: 1 })).toBe('{\n  "a": 1\n}');
  expect(inputText("Odd", null)).toBe("null");
  const looks = [callOf(0, "Read", "a"), callOf(1, "Grep", "b"), callOf(2, "Read", "c")];
  expect(groupWords(looks)).toBe("Read 2 files, searched once");
  expect(groupWords(looks.slice(1, 2))).toBe("Searched once");
});

test("sizes, places in time and commands read well", () => {
  expect([1, 812, 8_200, 999_949, 1_200_000].map(formatBytes)).toEqual([
    "1 byte",
    "812 bytes",
    "8.2 KB",
    "999.9 KB",
    "1.2 MB",
  ]);
  expect([-5, 42_000, 3_723_000].map(clockWords)).toEqual(["0:00", "0:42", "1:02:03"]);
  expect(quotedCommand(["sh", "-c", "echo 'a b'"])).toBe("sh -c 'echo '\\''a b'\\'''");
});

test("a filtered sequence finds places of entries it does not have", () => {
  const some = someEntries("errors", [4, 9, 20]);
  expect([0, 4, 5, 9, 21].map(some.placeOf)).toEqual([0, 0, 1, 1, 2]);
  expect(some.at(2)).toBe(20);
  expect(someEntries("errors", []).placeOf(7)).toBe(0);
  expect(allEntries(3).placeOf(2)).toBe(2);
});

test("hits go round at the ends", () => {
  expect(hitFrom([3, 7], undefined, 1)).toBe(3);
  expect(hitFrom([3, 7], 3, 1)).toBe(7);
  expect(hitFrom([3, 7], 7, 1)).toBe(3);
  expect(hitFrom([3, 7], 3, -1)).toBe(7);
  expect(hitFrom([], 3, 1)).toBeUndefined();
});

test("keys mean nothing with modifiers, but Control+F finds", () => {
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

test("what was opened by hand stays, whatever else is done", () => {
  let view = freshView(true);
  view = actOn(view, { act: "open", seq: 5, open: true });
  view = actOn(view, { act: "group", first: 9, open: true });
  view = actOn(view, { act: "filter", filter: "errors" });
  view = actOn(view, { act: "group", first: 9, open: false });
  expect(view).toMatchObject({ filter: "errors", following: true });
  expect(view.opened.get(5)).toBe(true);
  expect(view.groups.size).toBe(0);
  expect(actOn(view, { act: "follow", following: true }), "nothing changes, nothing draws").toBe(
    view,
  );
});

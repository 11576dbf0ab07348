import { expect, test } from "vitest";
import { makeTextEntry, makeToolCall } from "@/attempt/timelineFixture";
import { pageSize } from "./entryPages";
import { groupStart, timelineRowAt } from "./timelineRow";

const entries = [
  makeTextEntry(0),
  makeToolCall(1, "Read", "a.rs"),
  makeToolCall(2, "Grep", "todo"),
  makeToolCall(3, "Read", "b.rs"),
  makeToolCall(4, "Bash", "make"),
  makeToolCall(5, "Read", "c.rs"),
  makeToolCall(6, "Read", "d.rs"),
];
const at = (seq: number) => entries[seq];
const kinds = (isOpen: boolean) =>
  [...entries.keys(), 7].map((seq) => timelineRowAt(seq, at, () => isOpen).kind);

test("three read-only calls become a group; two do not", () => {
  expect(kinds(false)).toEqual([
    "entry",
    "group",
    "hidden",
    "hidden",
    "entry",
    "entry",
    "entry",
    "unread",
  ]);
});

test("an open group shows its entries", () => {
  expect(kinds(true).slice(1, 4)).toEqual(["group", "entry", "entry"]);
  expect(groupStart(3, at)).toBe(1);
  expect(groupStart(5, at)).toBeUndefined();
});

test("a failed or unfinished call splits a group", () => {
  const failed = [
    makeToolCall(0, "Read", "a"),
    makeToolCall(1, "Read", "b", { ok: false }),
    makeToolCall(2, "Read", "c", null),
  ];
  expect(
    failed.map(
      (_, seq) =>
        timelineRowAt(
          seq,
          (place) => failed[place],
          () => false,
        ).kind,
    ),
  ).toEqual(["entry", "entry", "entry"]);
});

test("groups end at page boundaries", () => {
  const reads = (seq: number) => makeToolCall(seq, "Read", `${seq}`);
  const border = timelineRowAt(pageSize, reads, () => false);
  expect(border.kind).toBe("group");
  expect(timelineRowAt(pageSize - 1, reads, () => false).kind).toBe("hidden");
});

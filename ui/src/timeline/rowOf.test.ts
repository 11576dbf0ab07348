import { expect, test } from "vitest";
import { callOf, textOf } from "@/attempt/timelineFixture";
import { pageSize } from "./pages";
import { groupStart, rowOf } from "./rowOf";

const entries = [
  textOf(0),
  callOf(1, "Read", "a.rs"),
  callOf(2, "Grep", "todo"),
  callOf(3, "Read", "b.rs"),
  callOf(4, "Bash", "make"),
  callOf(5, "Read", "c.rs"),
  callOf(6, "Read", "d.rs"),
];
const at = (seq: number) => entries[seq];
const kinds = (isOpen: boolean) =>
  [...entries.keys(), 7].map((seq) => rowOf(seq, at, () => isOpen).kind);

test("three looks in a row become one line; two do not, and what is not read is not guessed", () => {
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

test("an open group shows its members below its line", () => {
  expect(kinds(true).slice(1, 4)).toEqual(["group", "entry", "entry"]);
  expect(groupStart(3, at)).toBe(1);
  expect(groupStart(5, at)).toBeUndefined();
});

test("a failed or unfinished look breaks a group: it must be seen", () => {
  const failed = [
    callOf(0, "Read", "a"),
    callOf(1, "Read", "b", { ok: false }),
    callOf(2, "Read", "c", null),
  ];
  expect(
    failed.map(
      (_, seq) =>
        rowOf(
          seq,
          (place) => failed[place],
          () => false,
        ).kind,
    ),
  ).toEqual(["entry", "entry", "entry"]);
});

test("groups end at the border of a page, so that they do not depend on what is loaded", () => {
  const reads = (seq: number) => callOf(seq, "Read", `${seq}`);
  const border = rowOf(pageSize, reads, () => false);
  expect(border.kind).toBe("group");
  expect(rowOf(pageSize - 1, reads, () => false).kind).toBe("hidden");
});

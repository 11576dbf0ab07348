import { expect, test } from "vitest";
import {
  areOutputs,
  fromOutputRows,
  outputRowError,
  type PinnedOutputRow,
  toOutputRows,
} from "./pinnedOutputRows";

const read = (name: string) => ({ node: "a", name, by: ["b"] });

test("missing outputs are offered below the pinned ones", () => {
  const rows = toOutputRows({ made: "yes", empty: "" }, [read("count"), read("made")]);
  expect(rows).toEqual([
    { name: "made", value: "yes" },
    { name: "empty", value: "" },
    { name: "count", value: "", isOffered: true },
  ]);
  expect(fromOutputRows(rows)).toEqual([
    { name: "made", value: "yes" },
    { name: "empty", value: "" },
  ]);
  expect(toOutputRows({}, [read("constructor")])).toHaveLength(1);
});

test.each<[string, PinnedOutputRow[], (string | undefined)[]]>([
  ["empty rows", [{ name: "", value: "" }], [undefined]],
  ["a value without a name", [{ name: " ", value: "1" }], ["Enter a name, or remove the row."]],
  [
    "a name that no node can read",
    [{ name: "my key", value: "1" }],
    ["Use only letters, digits, _, - and . in the name."],
  ],
  [
    "a long name",
    [{ name: "n".repeat(129), value: "1" }],
    ["Use a name of at most 128 characters."],
  ],
  [
    "the same name twice",
    [
      { name: "a", value: "1" },
      { name: "a.b-c_1", value: "" },
      { name: " a", value: "2" },
    ],
    [undefined, undefined, "a is already defined above."],
  ],
  [
    "an offered name that was typed as well",
    [
      { name: "a", value: "", isOffered: true },
      { name: "a", value: "2" },
    ],
    [undefined, undefined],
  ],
])("%s", (_, rows, errors) => {
  expect(rows.map((_row, at) => outputRowError(rows, at))).toEqual(errors);
});

test("outputs are compared by name", () => {
  const typed = [
    { name: "b", value: "2" },
    { name: "a", value: "1" },
  ];
  expect(areOutputs(typed, { a: "1", b: "2" })).toBe(true);
  expect(areOutputs(typed, { a: "1", b: "3" })).toBe(false);
  expect(areOutputs(typed, { a: "1" })).toBe(false);
  expect(areOutputs([{ name: "constructor", value: "" }], { a: "1" })).toBe(false);
});

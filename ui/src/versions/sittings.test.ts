// @vitest-environment node
import { expect, test } from "vitest";
import { groupIntoSittings } from "./sittings";
import { versionOf } from "./versionFixture";

const minute = 60_000;

/** Groups versions, newest first, written as "AUTHOR MINUTE". */
function grouped(...versions: string[]): number[][] {
  const rows = versions.map((text, at) => {
    const [author = "", time] = text.split(" ");
    return versionOf(versions.length - at, { author, at: Number(time) * minute });
  });
  return groupIntoSittings(rows).map((sitting) => sitting.rows.map(({ version }) => version));
}

test.each([
  ["nothing", [], []],
  ["edits in one go", ["a 20", "a 15", "a 6"], [[3, 2, 1]]],
  ["a pause of ten minutes", ["a 20", "a 10", "a 9"], [[3], [2, 1]]],
  ["another author", ["a 3", "b 2", "a 1"], [[3], [2], [1]]],
  ["a clock that was set back", ["a 1", "a 5"], [[2, 1]]],
  ["a clock that was set far back", ["a 1", "a 50"], [[2], [1]]],
])("groups %s", (_, versions, expected) => {
  expect(grouped(...versions)).toEqual(expected);
});

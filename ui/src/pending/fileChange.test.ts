import { expect, test } from "vitest";
import { parseFileChange } from "./fileChange";

test("a written file is shown as added lines", () => {
  const change = parseFileChange("Write", { file_path: "/a.txt", content: "one\ntwo\n" });
  expect(change?.path).toBe("/a.txt");
  expect(change?.hunks).toEqual([{ oldStart: 1, newStart: 1, lines: ["+one", "+two"] }]);
});

test("an edit shows the diff with three context lines and other input", () => {
  const before = ["a", "b", "c", "d", "old", "x", "y", "z", "end"].join("\n");
  const after = before.replace("old", "new\nnewer");
  const input = { file_path: "/a", old_string: before, new_string: after, replace_all: true };
  const change = parseFileChange("Edit", input);
  expect(change?.hunks[0]?.lines.join("|")).toBe(" b| c| d|-old|+new|+newer| x| y| z");
  expect(change?.otherInput).toContain("replace_all");
});

test("input that is not a file change returns undefined", () => {
  for (const [tool, input] of [
    ["Bash", { command: "ls" }],
    ["Write", { file_path: 1, content: "x" }],
    ["Edit", { file_path: "/a", old_string: "x" }],
    ["Write", null],
    ["Write", ["x"]],
  ] as const) {
    expect(parseFileChange(tool, input), tool).toBeUndefined();
  }
});

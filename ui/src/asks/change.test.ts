import { expect, test } from "vitest";
import { changeOf } from "./change";

test("a written file is a change that only adds", () => {
  const change = changeOf("Write", { file_path: "/a.txt", content: "one\ntwo\n" });
  expect(change?.path).toBe("/a.txt");
  expect(change?.hunks).toEqual([{ oldStart: 1, newStart: 1, lines: ["+one", "+two"] }]);
});

test("an edit shows what differs and three lines around it, and whatever else it says", () => {
  const before = ["a", "b", "c", "d", "old", "x", "y", "z", "end"].join("\n");
  const after = before.replace("old", "new\nnewer");
  const input = { file_path: "/a", old_string: before, new_string: after, replace_all: true };
  const change = changeOf("Edit", input);
  expect(change?.hunks[0]?.lines.join("|")).toBe(" b| c| d|-old|+new|+newer| x| y| z");
  expect(change?.remark).toContain("replace_all");
});

test("what is not understood as a change is none", () => {
  for (const [tool, input] of [
    ["Bash", { command: "ls" }],
    ["Write", { file_path: 1, content: "x" }],
    ["Edit", { file_path: "/a", old_string: "x" }],
    ["Write", null],
    ["Write", ["x"]],
  ] as const) {
    expect(changeOf(tool, input), tool).toBeUndefined();
  }
});

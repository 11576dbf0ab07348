import { expect, test } from "vitest";
import type { Autonomy, Node } from "@/api/bindings";
import { describeUnrestrictedTools } from "./unrestrictedTools";

function node(title: string, kind: string, toolsRequired: string[] = []): Node {
  return { title, kind: { kind }, toolsRequired } as unknown as Node;
}

test.each<[Autonomy, boolean]>([
  [0, false],
  [1, true],
  [2, false],
  [3, false],
  [4, true],
])("level %i describes unrestricted tools: %s", (level, says) => {
  expect(describeUnrestrictedTools([node("Write", "agent")], level) !== undefined).toBe(says);
});

test("names only agents without a tool list, up to a limit", () => {
  const plan = [node("Build", "command"), node("Edit", "agent", ["Edit"]), node("Write", "agent")];
  expect(describeUnrestrictedTools(plan, 1)).toBe("“Write” may use any tool, including the shell.");
  expect(describeUnrestrictedTools(plan.slice(0, 2), 1)).toBeUndefined();
  expect(
    describeUnrestrictedTools([{ ...node("Write", "agent"), disabled: true }], 1),
  ).toBeUndefined();
  const many = Array.from({ length: 9 }, (_, at) => node(`N${at}`, "agent"));
  expect(describeUnrestrictedTools(many, 1)).toMatch(/^“N0”, .*“N3” and 5 more may use any tool/);
});

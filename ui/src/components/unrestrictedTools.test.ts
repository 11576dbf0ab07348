import { expect, test } from "vitest";
import type { Autonomy, Node, Plan } from "@/api/bindings";
import { describeUnrestrictedTools } from "./unrestrictedTools";

function node(title: string, kind: string, toolsRequired: string[] = []): Node {
  return { title, kind: { kind }, toolsRequired } as unknown as Node;
}

function describe(nodes: Node[], level: Autonomy, toolsRequired: string[] = []) {
  const settings = { toolsRequired } as unknown as Plan["settings"];
  return describeUnrestrictedTools({ nodes, settings }, level);
}

test.each<[Autonomy, boolean]>([
  [0, false],
  [1, true],
  [2, false],
  [3, false],
  [4, true],
])("level %i describes unrestricted tools: %s", (level, says) => {
  expect(describe([node("Write", "agent")], level) !== undefined).toBe(says);
});

test("names only agents without a tool list, up to a limit", () => {
  const plan = [node("Build", "command"), node("Edit", "agent", ["Edit"]), node("Write", "agent")];
  expect(describe(plan, 1, ["Read"]), "the plan lists the tools").toBeUndefined();
  expect(describe(plan, 1)).toBe("“Write” may use any tool, including the shell.");
  expect(describe(plan.slice(0, 2), 1)).toBeUndefined();
  expect(describe([{ ...node("Write", "agent"), disabled: true }], 1)).toBeUndefined();
  const many = Array.from({ length: 9 }, (_, at) => node(`N${at}`, "agent"));
  expect(describe(many, 1)).toMatch(/^“N0”, .*“N3” and 5 more may use any tool/);
});

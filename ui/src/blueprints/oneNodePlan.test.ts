import { expect, test } from "vitest";
import { oneNodePlan, oneNodeTitle } from "./oneNodePlan";

test("a task of any characters is one valid JSON value", () => {
  const task = 'echo "a"\n$(b) `c` \\ \u0000 שלום 🚚';
  const plan = JSON.parse(oneNodePlan({ kind: "command", task, title: "" }));
  expect(plan.nodes).toEqual([
    { id: "command", title: 'echo "a"', kind: "command", command: task },
  ]);
});

test.each([
  [{ kind: "agent", task: "\n  Read\tall \nof it", title: "" }, "Read all"],
  [{ kind: "agent", task: "x", title: " Own " }, "Own"],
  [{ kind: "command", task: "", title: "" }, "Single command"],
] as const)("the title of %j is %s", (node, title) => {
  expect(oneNodeTitle(node)).toBe(title);
});

test("a long first line is cut", () => {
  expect(oneNodeTitle({ kind: "agent", task: "x".repeat(1_000_000), title: "" })).toHaveLength(80);
});

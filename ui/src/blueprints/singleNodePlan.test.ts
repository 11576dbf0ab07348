import { expect, test } from "vitest";
import { singleNodePlan, singleNodeTitle } from "./singleNodePlan";

test("a task with any characters becomes valid JSON", () => {
  const task = 'echo "a"\n$(b) `c` \\ \u0000 שלום 🚚';
  const plan = JSON.parse(singleNodePlan({ kind: "command", task, title: "" }));
  expect(plan.nodes).toEqual([
    { id: "command", title: 'echo "a"', kind: "command", command: task },
  ]);
});

test.each([
  [{ kind: "agent", task: "\n  Read\tall \nof it", title: "" }, "Read all"],
  [{ kind: "agent", task: "x", title: " Own " }, "Own"],
  [{ kind: "command", task: "", title: "" }, "Single command"],
] as const)("the title of %j is %s", (node, title) => {
  expect(singleNodeTitle(node)).toBe(title);
});

test("a long first line is truncated", () => {
  expect(singleNodeTitle({ kind: "agent", task: "x".repeat(1_000_000), title: "" })).toHaveLength(
    80,
  );
});

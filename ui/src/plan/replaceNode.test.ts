// @vitest-environment node
import { expect, test } from "vitest";
import { changeNode, setWay } from "./edits";
import { blankKind, kindNames } from "./kinds";
import { planOf } from "./planFixture";
import { replaceNode } from "./replaceNode";

const plan = planOf(["a", "b", "c"], ["a>b", "b>c"]);

test("a node of another kind keeps its edges, position, title and slug", () => {
  for (const kind of kindNames) {
    if (kind === "note") continue;
    const after = replaceNode(plan, "b", kind);
    const [before, now] = [plan.nodes[1], after.nodes[1]];
    expect(now).toEqual({ ...before, kind: now?.kind });
    expect(now?.kind.kind).toBe(kind);
    expect(after.edges).toBe(plan.edges);
  }
});

test("notes are not replaced, and the same kind changes nothing", () => {
  expect(replaceNode(plan, "b", "note")).toBe(plan);
  const kind = plan.nodes[1]?.kind.kind ?? "agent";
  expect(replaceNode(plan, "b", kind)).toBe(plan);
  expect(replaceNode(plan, "nobody", "command")).toBe(plan);
});

test("branches of a condition become edges, once", () => {
  let fork = changeNode(plan, "a", (node) => ({ ...node, kind: blankKind("condition") }));
  fork = setWay(setWay(fork, "a", "true", "b"), "a", "false", "c");
  const after = replaceNode(fork, "a", "command");
  expect(after.edges.filter((edge) => edge.parent === "a").map((edge) => edge.child)).toEqual([
    "b",
    "c",
  ]);
});

test("an agent's prompt is kept for a decision and back", () => {
  const agent = { kind: "agent", agent: "pi", model: "m", prompt: "Do", toolScope: null } as const;
  const before = changeNode(plan, "b", (node) => ({ ...node, kind: agent }));
  const decision = replaceNode(before, "b", "llm_decision");
  expect(decision.nodes[1]?.kind).toMatchObject({ agent: "pi", model: "m", prompt: "Do" });
  expect(replaceNode(decision, "b", "agent").nodes[1]?.kind).toEqual(agent);
});

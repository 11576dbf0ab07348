// @vitest-environment node
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Node, Plan, TriggerRule } from "@/api/bindings";
import type { EdgeCondition } from "./conditionalEdges";
import { isJoin } from "./joins";
import { planOf } from "./planFixture";

interface Case {
  name: string;
  nodes: string[];
  edges: string[];
  /** `parent>child kind` */
  ways: string[];
  rules?: Record<string, TriggerRule>;
  joins: string[];
}

/** The model's own test cases, so that the window shows the same rule that a run uses. */
const file = path.resolve(import.meta.dirname, "../../../tests/fixtures/joins.json");
const cases: Case[] = JSON.parse(readFileSync(file, "utf8"));

function leading(node: Node, kind: EdgeCondition, child: string): Node {
  if (kind === "success") return { ...node, onSuccess: child };
  if (kind === "failure") return { ...node, onFailure: { node: child } };
  const before = node.kind.kind === "condition" ? node.kind : { trueStep: null, falseStep: null };
  const { trueStep, falseStep } = before;
  const branches = { trueStep, falseStep, [kind === "true" ? "trueStep" : "falseStep"]: child };
  return { ...node, kind: { kind: "condition", condition: "true", ...branches } };
}

function planFor({ nodes, edges, ways, rules = {} }: Case): Plan {
  const plan = planOf(nodes, edges);
  const led = ways.reduce((before, edge) => {
    const [ends = "", kind] = edge.split(" ");
    const [parent, child = ""] = ends.split(">");
    return before.map((node) =>
      node.id === parent ? leading(node, kind as EdgeCondition, child) : node,
    );
  }, plan.nodes);
  return {
    ...plan,
    nodes: led.map((node) => ({ ...node, triggerRule: rules[node.id] ?? node.triggerRule })),
  };
}

test.each(cases)("$name", (given) => {
  const plan = planFor(given);
  expect(given.nodes.filter((node) => isJoin(plan, node))).toEqual(given.joins);
});

test("a soft edge closes nothing", () => {
  const plan = planOf(["a", "b", "c"], ["a>c", "b>c"]);
  const soft = plan.edges.map((edge) => ({ ...edge, soft: true }));
  expect(isJoin({ ...plan, edges: soft }, "c")).toBe(false);
});

test("a cycle written by another program does not hang", () => {
  const ring = planOf(["a", "b"], ["a>b", "b>a"]);
  expect(isJoin(ring, "a")).toBe(false);
});

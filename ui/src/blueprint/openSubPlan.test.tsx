import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Node, Plan } from "@/api/bindings";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { summaryOf } from "@/plan/planSummaryFixture";
import { ParentLink } from "./ParentLink";

const inner = (node: Node): Node => ({ ...node, kind: { kind: "sub_plan", subPlanId: "Release" } });
const plain = planOf(["a"], []);
const plan: Plan = { ...plain, nodes: plain.nodes.map(inner) };
const plans = [summaryOf("p2", { title: "Release" })];

test("without a run, opens the nested blueprint with a link back", async () => {
  const { open, went } = openBlueprint(<ParentLink />, {
    view: viewOf(plan),
    answers: { plans_list: plans },
  });
  await open("a");
  expect(went).toHaveBeenCalledWith("/blueprints/p2?from=plan&fromNode=a");
});

test("in a run, opens the latest run of the nested blueprint", async () => {
  const child = { node: "a", plan: "p2", state: { state: "completed" as const } };
  const run = runOf(plan, {});
  const { open, went } = openBlueprint(<ParentLink />, {
    view: viewOf(plan),
    run: {
      ...run,
      children: [
        { ...child, run: "r1" },
        { ...child, run: "r2" },
      ],
    },
  });
  await open("a");
  expect(went).toHaveBeenCalledWith("/blueprints/p2?run=r2");
});

test("a node whose blueprint is missing is selected without navigation", async () => {
  const { open, went, editor } = openBlueprint(<ParentLink />, {
    view: viewOf(plan),
    answers: { plans_list: [] },
  });
  await open("a");
  expect(went).not.toHaveBeenCalled();
  expect([...editor.getState().selection]).toEqual(["a"]);
});

test("a nested run links back to its parent node", async () => {
  const above = runOf(planOf(["outer"], []), {}, { id: "above", plan: "p0", title: "Whole" });
  const run = { ...runOf(plan, {}), parent: { run: "above", node: "outer" } };
  openBlueprint(<ParentLink />, {
    view: viewOf(plan),
    run,
    answers: { run_progress: above, plan_version_get: above.plan },
  });
  expect(await screen.findByRole("link", { name: "Back to Whole" })).toHaveAttribute(
    "href",
    "/blueprints/p0?run=above&node=outer",
  );
});

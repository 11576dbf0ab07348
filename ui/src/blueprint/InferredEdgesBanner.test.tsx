import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { EdgeInspector } from "@/inspector/EdgeInspector";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, viewOf } from "@/plan/planFixture";
import { InferredEdgesBanner } from "./InferredEdgesBanner";

const chain = planOf(["a", "b", "c"], ["a>b", "b>c"]);
const plan = { ...chain, edges: chain.edges.map((edge) => ({ ...edge, inferred: true })) };

test("edges are reviewed one by one and confirmed together", async () => {
  const { editor } = openBlueprint(<InferredEdgesBanner />, { view: viewOf(plan) });
  expect(screen.getByText(/^2 inferred edges\./)).toBeVisible();
  const review = screen.getByRole("button", { name: "Review" });
  await userEvent.click(review);
  expect([...editor.getState().selectedEdges]).toEqual(["a>b"]);
  await userEvent.click(review);
  expect([...editor.getState().selectedEdges]).toEqual(["b>c"]);
  await userEvent.click(screen.getByRole("button", { name: "Confirm all" }));
  expect(editor.getState().plan.edges).toEqual(chain.edges);
  expect(screen.queryByText(/inferred/)).toBeNull();
});

test("the inspector confirms one edge or deletes it", async () => {
  const [first, second] = plan.edges;
  if (!first || !second) throw new Error("two edges");
  const { editor } = openBlueprint(
    <>
      <EdgeInspector edge={first} plan={plan} run={undefined} />
      <EdgeInspector edge={second} plan={plan} run={undefined} />
    </>,
    { view: viewOf(plan) },
  );
  const [confirm] = screen.getAllByRole("button", { name: "Confirm edge" });
  const remove = screen.getAllByRole("button", { name: "Delete edge" }).at(1);
  if (!confirm || !remove) throw new Error("buttons");
  await userEvent.click(confirm);
  await userEvent.click(remove);
  expect(editor.getState().plan.edges).toEqual([{ parent: "a", child: "b", soft: false }]);
});

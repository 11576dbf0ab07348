import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { NodeState } from "@/api/bindings";
import { openBlueprint } from "@/blueprint/openBlueprint";
import { planOf, runOf, viewOf } from "@/blueprint/planFixture";
import { asks, done, failed, running } from "@/course/courseFixture";
import { CardActs } from "./CardActs";

const plan = planOf(["a"], []);

function open(state: NodeState) {
  return openBlueprint(<CardActs id="a" />, {
    view: viewOf(plan, { review: "approved" }),
    run: runOf(plan, { a: state }),
    answers: { inbox_list: [] },
  });
}

const labels = () =>
  screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));

test.each([
  ["failed", failed, ["Retry", "Rerun from here", "Skip", "Show its timeline"]],
  ["done", done, ["Rerun from here", "Show its timeline"]],
  ["asking", asks, ["Answer", "Run this and what it needs", "Skip", "Show its timeline"]],
])("a node that is %s offers what makes sense of it", (_, state, offered) => {
  open(state as NodeState);
  expect(labels()).toEqual(offered);
});

test("what does not apply says why and does nothing", async () => {
  const { call } = open(running);
  const skip = screen.getByRole("button", { name: "Skip" });
  expect(skip).toHaveAttribute("aria-disabled", "true");
  expect(skip).toHaveAccessibleDescription("It runs; stop the run first");
  await userEvent.click(skip);
  expect(call).not.toHaveBeenCalledWith("node_skip", expect.anything());
});

test("a press does it", async () => {
  const { call } = open(failed);
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(call).toHaveBeenCalledWith("node_retry", { run: "run", node: "a", resume: null });
});

test("a question is answered beside the card", async () => {
  const { call } = open(asks);
  await userEvent.click(screen.getByRole("button", { name: "Answer" }));
  const question = await screen.findByRole("dialog", { name: "Question of Title of a" });
  expect(question).toHaveTextContent("May it?");
  await userEvent.click(within(question).getByRole("button", { name: "Allow" }));
  expect(call).toHaveBeenCalledWith(
    "node_answer",
    expect.objectContaining({ node: "a", request: "r" }),
  );
});

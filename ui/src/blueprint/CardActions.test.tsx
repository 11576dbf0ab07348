import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { NodeMarks, NodeState } from "@/api/bindings";
import { CardActions } from "@/graph/CardActions";
import { makeInboxItem } from "@/pending/inboxFixture";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { asks, done, failed, running } from "@/run/stateHistoryFixture";
import { RerunDialog } from "./RerunDialog";
import { StopNodesDialog } from "./StopDialog";

const plan = planOf(["a"], []);
const interrupted: NodeState = { state: "interrupted", detail: "Stopped by a person" };

function open(state: NodeState, marks: Partial<NodeMarks> = {}, of = plan) {
  const run = runOf(of, { a: state });
  for (const node of run.nodes) node.marks = { ...node.marks, ...marks };
  return openBlueprint(
    <>
      <CardActions id="a" />
      <StopNodesDialog />
      <RerunDialog />
    </>,
    {
      view: viewOf(of, { review: "approved" }),
      run,
      answers: { inbox_list: [], node_stop: () => run.summary, node_skip: () => run.summary },
    },
  );
}

const labels = () =>
  screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"));

test.each([
  ["failed", failed, ["Retry", "Rerun from here", "Skip", "Show timeline"]],
  ["done", done, ["Rerun from here", "Show timeline"]],
  ["running", running, ["Stop node", "Skip", "Show timeline"]],
  ["interrupted", interrupted, ["Retry", "Rerun from here", "Skip", "Mark done", "Show timeline"]],
  ["asking", asks, ["Answer", "Run this node", "Skip", "Show timeline"]],
])("a node that is %s offers matching actions", (_, state, offered) => {
  open(state as NodeState);
  expect(labels()).toEqual(offered);
});

test("a disabled action gives its reason and does nothing", async () => {
  const { call } = open(running, { stopping: { kind: "interrupt" } });
  const skip = screen.getByRole("button", { name: "Skip" });
  expect(skip).toHaveAttribute("aria-disabled", "true");
  expect(skip).toHaveAccessibleDescription("Already stopping");
  await userEvent.click(skip);
  expect(call).not.toHaveBeenCalledWith("node_skip", expect.anything());
});

test.each([
  ["Stop node", "Stop “Title of a”?", "Stop", ["node_stop", { run: "run", node: "a" }]],
  [
    "Skip",
    "Stop and skip “Title of a”?",
    "Stop and skip",
    ["node_skip", { run: "run", node: "a", stop: true }],
  ],
])("%s on a running node asks for confirmation", async (label, title, confirm, expected) => {
  const { call } = open(running);
  await userEvent.click(screen.getByRole("button", { name: label }));
  const dialog = await screen.findByRole("alertdialog", { name: title });
  expect(call).not.toHaveBeenCalledWith(expected[0], expect.anything());
  await userEvent.click(within(dialog).getByRole("button", { name: confirm }));
  expect(call).toHaveBeenCalledWith(...expected);
});

test("Skip asks first if other nodes may start", async () => {
  const { call } = open(failed, {}, planOf(["a", "b"], ["a>b"]));
  await userEvent.click(screen.getByRole("button", { name: "Skip" }));
  const dialog = await screen.findByRole("dialog", { name: "Skip “Title of a”?" });
  expect(call).not.toHaveBeenCalledWith("node_skip", expect.anything());
  await userEvent.click(within(dialog).getByRole("button", { name: "Skip" }));
  expect(call).toHaveBeenCalledWith("node_skip", { run: "run", node: "a", stop: null });
});

test("Retry needs no confirmation", async () => {
  const { call } = open(failed);
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(call).toHaveBeenCalledWith("node_retry", { run: "run", node: "a", resume: null });
});

test("a question can be answered next to the card", async () => {
  const { call } = open(asks);
  await userEvent.click(screen.getByRole("button", { name: "Answer" }));
  const question = await screen.findByRole("dialog", { name: "Question from Title of a" });
  expect(question).toHaveTextContent("May it?");
  await userEvent.click(within(question).getByRole("button", { name: "Allow once" }));
  expect(call).toHaveBeenCalledWith(
    "node_answer",
    expect.objectContaining({ node: "a", request: "r" }),
  );
});

test("a question of a nested run can be answered at the card of its parent node", async () => {
  const calling = {
    ...plan,
    nodes: plan.nodes.map((node) => ({
      ...node,
      kind: { kind: "sub_plan" as const, subPlanId: "p" },
    })),
  };
  const step = {
    run: "run",
    plan: "plan",
    planTitle: "Plan",
    node: "a",
    slug: "a",
    title: "Release",
  };
  const item = makeInboxItem(
    { kind: "approval", question: "Start 'Ask'?" },
    { run: "inner", path: [step] },
  );
  const { call } = openBlueprint(<CardActions id="a" />, {
    view: viewOf(calling, { review: "approved" }),
    run: runOf(calling, { a: running }),
    answers: { inbox_list: [item], node_approve: () => runOf(calling, {}).summary },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Answer" }));
  const question = await screen.findByRole("region", { name: "Question from Release › Deploy" });
  expect(question).toHaveTextContent("Start 'Ask'?");
  await userEvent.click(within(question).getByRole("button", { name: "Approve" }));
  expect(call).toHaveBeenCalledWith("node_approve", { run: "inner", node: "deploy", allow: true });
});

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ReactFlowProvider } from "@xyflow/react";
import { expect, test } from "vitest";
import type { InboxItem } from "@/api/bindings";
import { makeInboxItem } from "@/pending/inboxFixture";
import { openBlueprint } from "@/plan/openBlueprint";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { running } from "@/run/stateHistoryFixture";
import { CardActions } from "./CardActions";
import { NestedRequests } from "./NestedRequests";

const drawn = planOf(["a"], []);
const calling = {
  ...drawn,
  nodes: drawn.nodes.map((node) => ({
    ...node,
    kind: { kind: "sub_plan" as const, subPlanId: "p" },
  })),
};
const [node] = calling.nodes;

function question(run: string, nodeAbove = "a"): InboxItem {
  const step = {
    run: "run",
    plan: "plan",
    planTitle: "Plan",
    node: nodeAbove,
    slug: nodeAbove,
    title: "Release",
  };
  return makeInboxItem({ kind: "approval", question: "Start 'Ask'?" }, { run, path: [step] });
}

function open(items: InboxItem[]) {
  if (!node) throw new Error("the plan has a node");
  return openBlueprint(
    <ReactFlowProvider>
      <NestedRequests node={node} />
      <CardActions id="a" />
    </ReactFlowProvider>,
    {
      view: viewOf(calling, { review: "approved" }),
      run: runOf(calling, { a: running }),
      answers: { inbox_list: items, node_approve: () => runOf(calling, {}).summary },
    },
  );
}

test("a card shows the path of a nested question, and a click answers it", async () => {
  const { call } = open([question("inner")]);
  const strip = await screen.findByRole("button", { name: "Answer Release › Deploy" });
  expect(strip).toHaveTextContent("? Release › Deploy");
  expect(strip).toHaveAttribute("title", "Release › Deploy\nStart 'Ask'?");
  await userEvent.click(strip);
  const asked = await screen.findByRole("region", { name: "Question from Release › Deploy" });
  await userEvent.click(within(asked).getByRole("button", { name: "Approve" }));
  expect(call).toHaveBeenCalledWith("node_approve", { run: "inner", node: "deploy", allow: true });
});

test("further questions are counted, but not those of other nodes", async () => {
  open([question("inner"), question("second"), question("third", "b")]);
  const strip = await screen.findByRole("button", { name: "Answer Release › Deploy, and 1 more" });
  expect(strip).toHaveTextContent("? Release › Deploy +1");
});

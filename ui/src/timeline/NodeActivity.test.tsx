import { configure, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import type {
  AttemptView,
  Event,
  HistoryRow,
  NodeKind,
  NodeState,
  Plan,
  RunView,
} from "@/api/bindings";
import { planOf, runOf } from "@/plan/planFixture";
import { summaryOf } from "@/plan/planSummaryFixture";
import { historyRowsOf } from "@/run/historyFixture";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { NodeActivity } from "./NodeActivity";
import { collectQuestionAnswers } from "./questionAnswers";

// Rendering is slow on a busy machine.
configure({ asyncUtilTimeout: 5_000 });

// axe uses a canvas to detect icon fonts, which jsdom does not support.
vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);

const question: NodeKind = {
  kind: "user_input",
  question: "Go?",
  inputType: "text",
  options: [],
  timeout: null,
};

const attempt: AttemptView = {
  attempt: 1,
  session: "session",
  agent: null,
  startedAt: 0,
  endedAt: 5_000,
  times: { workedMs: 4_900, waitedMs: 14_000, elapsedMs: 5_000, workingSince: null },
  outcome: { kind: "succeeded" },
  sentence: "done",
  artifact: null,
  usage: {
    inputTokens: null,
    outputTokens: null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    usd: null,
  },
};

function planWith(kind: NodeKind): Plan {
  const plan = planOf(["a", "b", "c"], []);
  return { ...plan, nodes: plan.nodes.map((node) => (node.id === "a" ? { ...node, kind } : node)) };
}

/** A run in which the node `a` has started. */
function runWith(kind: NodeKind, state: NodeState, facts: Partial<RunView> = {}): RunView {
  const run = runOf(planWith(kind), { a: state });
  const nodes = run.nodes.map((node) => (node.node === "a" ? { ...node, attempt: 1 } : node));
  return { ...run, nodes, ...facts };
}

function open(run: RunView, shown: AttemptView | undefined, history: HistoryRow[] = []) {
  const fake = fakeBackend({
    run_history: ({ after, limit }) => history.filter(({ seq }) => seq > after).slice(0, limit),
    plans_list: () => [summaryOf("inner", { title: "Inner" })],
    node_input: () => run.summary,
  });
  const node = run.plan.nodes.find(({ id }) => id === "a");
  if (!node) throw new Error("the plan has a");
  renderAtPath(
    fake.backend,
    <NodeActivity
      run={{ ...run, seq: history.length }}
      node={node}
      nodeRun={run.nodes.find((each) => each.node === "a")}
      shown={shown}
      nothing={<p>Nothing yet</p>}
      timeline={({ session }) => <p>Timeline of {session}</p>}
    />,
  );
  return fake;
}

async function faults(): Promise<string[]> {
  // Color contrast is checked in a real browser.
  const { violations } = await axe.run(document.body, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  return violations.map(({ id, help }) => `${id}: ${help}`);
}

const asked = (number: number): { event: Event } => ({
  event: { event: "input_asked", node: "a", attempt: number, question: `Go ${number}?`, due: null },
});
const given = (number: number): { event: Event; actor: string } => ({
  actor: "person:window",
  event: {
    event: "input_given",
    node: "a",
    attempt: number,
    value: `yes ${number}`,
    artifact: null,
  },
});

test("pairs questions and answers by attempt, latest first", () => {
  const rows = historyRowsOf(6, { 2: asked(1), 3: given(1), 5: asked(2) }).toReversed();
  const exchanges = collectQuestionAnswers(rows, "a");
  expect(exchanges.map(({ question, answer }) => [question, answer?.words])).toEqual([
    ["Go 2?", undefined],
    ["Go 1?", "yes 1"],
  ]);
  expect(collectQuestionAnswers(rows, "b")).toEqual([]);
});

test("an answered question shows the answer, who and when", async () => {
  open(
    runWith(question, { state: "done", byHand: false }),
    undefined,
    historyRowsOf(500, { 2: asked(1), 3: given(1) }),
  );
  expect(await screen.findByText("Go 1?")).toBeVisible();
  expect(screen.getByText("yes 1")).toBeVisible();
  expect(screen.getByText(/You answered in the window/)).toBeVisible();
  expect(await faults()).toEqual([]);
});

test("a pending question can be answered inline", async () => {
  const { inputsOf } = open(
    runWith(question, {
      state: "waiting",
      for: { kind: "input", question: "Go 1?", inputType: "text", options: [], due: null },
    }),
    undefined,
    historyRowsOf(2, { 2: asked(1) }),
  );
  await userEvent.type(await screen.findByRole("textbox"), "yes");
  await userEvent.click(screen.getByRole("button", { name: "Send answer" }));
  await waitFor(() => expect(inputsOf("node_input")).toHaveLength(1));
  expect(screen.getAllByText("Go 1?")).toHaveLength(1);
});

test("an unanswered question shows why the node ended", async () => {
  const failure = { reason: "no_answer", limitMs: 60_000 } as const;
  open(
    runWith(question, { state: "failed", failure }),
    undefined,
    historyRowsOf(2, { 2: asked(1) }),
  );
  expect(await screen.findByText(/No answer within/)).toBeVisible();
});

test("nodes without questions show their session or empty state", () => {
  open(runOf(planWith(question), {}), undefined);
  expect(screen.getByText("Nothing yet")).toBeVisible();
  open(runWith(planOf(["a"], []).nodes[0]?.kind ?? question, { state: "running" }), attempt);
  expect(screen.getByText("Timeline of session")).toBeVisible();
});

test("a loop over a blueprint lists its child runs", async () => {
  const child = (run: string, state: "completed" | "running") =>
    ({ node: "a", run, plan: "inner", state: { state } }) as RunView["children"][number];
  const other = { ...child("x", "completed"), node: "b" };
  open(
    runWith(
      {
        kind: "loop",
        body: { plan: { subPlanId: "Inner" } },
        maxIterations: 3,
        loopCondition: null,
      },
      { state: "running" },
      { children: [child("r1", "completed"), other, child("r2", "running")] },
    ),
    attempt,
  );
  expect(await screen.findAllByText("Inner")).toHaveLength(2);
  const second = screen.getByRole("link", { name: "Open run 2" });
  expect(second).toHaveAttribute("href", "/blueprints/inner?run=r2");
  expect(screen.getByText("Running")).toBeVisible();
  expect(screen.queryByText(/Timeline of/)).not.toBeInTheDocument();
  expect(await faults()).toEqual([]);
});

test("shows when a child run could not start", () => {
  const outcome = {
    kind: "failed",
    failure: { reason: "sub_plan", detail: "it is not approved" },
  } as const;
  open(runWith({ kind: "sub_plan", subPlanId: "Inner" }, { state: "running" }), {
    ...attempt,
    outcome,
    sentence: "stopped because its plan failed: it is not approved",
  });
  expect(screen.getByText("Stopped because its plan failed: it is not approved.")).toBeVisible();
  expect(screen.getByText(/No run of the other blueprint/)).toBeVisible();
});

test("a condition shows its expression and the branch taken", async () => {
  const kind: NodeKind = { kind: "condition", condition: "n > 3", trueStep: "b", falseStep: null };
  const run = runWith(kind, { state: "done", byHand: false });
  const nodes = run.nodes.map((node) => ({ ...node, marks: { ...node.marks, taken: true } }));
  open({ ...run, nodes }, attempt);
  expect(screen.getByText("n > 3")).toBeVisible();
  expect(screen.getByText("Yes")).toBeVisible();
  expect(screen.getByRole("link", { name: "Title of b" })).toHaveAttribute(
    "href",
    "/blueprints/plan/nodes/b",
  );
  expect(screen.getByText(/No node on this branch/)).toBeVisible();
  expect(screen.getByText("Timeline of session")).toBeVisible();
  expect(await faults()).toEqual([]);
});

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AttemptView, NodeKind, PlanView, RunView } from "@/api/bindings";
import { FakeSession } from "@/attempt/timelineFixture";
import { FakeOutput } from "@/output/outputFixture";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { fileDiff, nodeDiff } from "@/review/diffFixture";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { NodeTimelinePage } from "./NodeTimelinePage";
import { sessionViewFixture, unknownUsage } from "./sessionViewFixture";

beforeEach(mockElementSizes);
afterEach(() => vi.restoreAllMocks());

const plan = planOf(["a", "b"], ["a>b"]);
const plain = planOf(["a"], []);

/** A plan and its run, of one node of a kind. */
function ranAs(kind: NodeKind) {
  const nodes = plain.nodes.map((node) => ({ ...node, kind }));
  const run = runOf({ ...plain, nodes }, { a: { state: "done", byHand: false } });
  return { view: viewOf({ ...plain, nodes }, { lastRun: run.summary }), run };
}

function attemptOf(attempt: number): AttemptView {
  return {
    attempt,
    session: `session-${attempt}`,
    agent: null,
    startedAt: 0,
    endedAt: 5_000,
    times: { workedMs: 4_900, waitedMs: 14_000, elapsedMs: 5_000, workingSince: null },
    outcome: { kind: "failed", failure: { reason: "exit_code", code: attempt } },
    sentence: `ended with exit code ${attempt}`,
    artifact: null,
    usage: unknownUsage,
  };
}

function open(
  view: PlanView,
  run: RunView | undefined,
  node: string,
  attempts: AttemptView[] = [],
  output = new FakeOutput(30),
) {
  const session = new FakeSession(3);
  const fake = fakeBackend({
    plan_get: () => view,
    run_progress: () => run ?? Promise.reject(new Error("no run")),
    plan_version_get: () => view.plan,
    output_window: ({ session: _, ...range }) => output.window(range),
    node_attempts: () => attempts,
    node_diff: () => nodeDiff([fileDiff("src/a.rs", ["+fresh"])]),
    session_reach: () => ({ cannotContinue: null, cannotFork: null }),
    node_review: () => run?.summary ?? Promise.reject(new Error("no run")),
    session_timeline: ({ session: _, ...range }) => session.read(range),
    session_get: ({ session: id }) =>
      sessionViewFixture({
        id,
        plan: plan.id,
        planTitle: plan.title,
        node,
        title: "",
        argv: ["sh", "-c", `exit ${id.at(-1)}`],
      }),
  });
  renderAtPath(fake.backend, <NodeTimelinePage />, "/b/:id/n/:nodeId", `/b/plan/n/${node}`);
  return fake;
}

const failed = runOf(plan, {
  a: { state: "failed", failure: { reason: "exit_code", code: 2 } },
  b: { state: "blocked", by: "a" },
});

test("the latest attempt is first, and earlier ones can be selected", async () => {
  open(viewOf(plan, { lastRun: failed.summary }), failed, "a", [attemptOf(1), attemptOf(2)]);
  expect(await screen.findByText("Ended with exit code 2.")).toBeVisible();
  expect(screen.getByText("sh -c 'exit 2'")).toBeVisible();
  expect(screen.getByRole("link", { name: "Plan" })).toHaveAttribute("href", "/blueprints/plan");
  await userEvent.click(screen.getByRole("combobox", { name: "Attempt" }));
  await userEvent.click(await screen.findByRole("option", { name: /Attempt 1/ }));
  expect(await screen.findByText("sh -c 'exit 1'")).toBeVisible();
});

const command: NodeKind = { kind: "command", command: "make", env: {}, cwd: null };
const toolCall: NodeKind = { kind: "tool_call", toolName: "shell", toolArgs: {} };

test("a command shows its output instead of a timeline", async () => {
  const { view, run } = ranAs(command);
  open(view, run, "a", [attemptOf(1)]);
  expect(await screen.findByRole("region", { name: "Output" })).toBeVisible();
  expect(await screen.findByText("row 29"), "a failure opens at the end").toBeVisible();
  expect(screen.queryByRole("region", { name: "Session timeline" })).toBeNull();
  expect(screen.queryByRole("radio", { name: "Raw output" })).toBeNull();
});

test("a tool keeps its timeline", async () => {
  const { view, run } = ranAs(toolCall);
  open(view, run, "a", [attemptOf(1)]);
  expect(await screen.findByRole("region", { name: "Session timeline" })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Output" })).toBeNull();
});

test("an agent has a timeline, and raw output on request", async () => {
  const agent: NodeKind = { kind: "agent", agent: null, model: null, prompt: "", toolScope: null };
  const { view, run } = ranAs(agent);
  open(view, run, "a", [{ ...attemptOf(1), agent: "claude" }]);
  expect(await screen.findByRole("region", { name: "Session timeline" })).toBeVisible();
  await userEvent.click(screen.getByRole("radio", { name: "Raw output" }));
  expect(await screen.findByText("row 29")).toBeVisible();
  expect(screen.queryByRole("region", { name: "Session timeline" })).toBeNull();
});

test("a review of the changes leads to the timeline that receives it", async () => {
  const agent: NodeKind = { kind: "agent", agent: null, model: null, prompt: "", toolScope: null };
  const { view, run } = ranAs(agent);
  localStorage.clear();
  const { inputsOf } = open(view, run, "a", [{ ...attemptOf(1), agent: "claude" }]);
  await userEvent.click(await screen.findByRole("tab", { name: "Changes" }));
  await userEvent.click(await screen.findByRole("button", { name: "Comment on added line 1" }));
  await userEvent.keyboard("Why?{Control>}{Enter}{/Control}");
  await userEvent.click(screen.getByRole("button", { name: "Send to claude…" }));
  await userEvent.click(await screen.findByRole("button", { name: "Send review" }));
  expect(await screen.findByRole("region", { name: "Session timeline" })).toBeVisible();
  expect(inputsOf("node_review")).toMatchObject([{ node: "a", session: "session-1" }]);
});

test("a blueprint without runs shows what to do", async () => {
  open(viewOf(plan), undefined, "a");
  expect(await screen.findByText("This blueprint hasn't run yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Open blueprint" })).toBeVisible();
});

test("a node that could not start names what blocks it", async () => {
  open(viewOf(plan, { lastRun: failed.summary }), failed, "b");
  expect(await screen.findByText("This node hasn't started in this run")).toBeVisible();
  expect(screen.getAllByText(/Title of a/)[0]).toBeVisible();
});

test("an unknown node shows a link back", async () => {
  open(viewOf(plan), undefined, "gone");
  expect(await screen.findByText("This node isn't in the blueprint")).toBeVisible();
});

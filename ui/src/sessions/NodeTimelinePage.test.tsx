import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AttemptView, PlanView, RunView } from "@/api/bindings";
import { FakeSession } from "@/attempt/timelineFixture";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { fakeBackend, mockElementSizes, renderAtPath } from "@/shell/fakeBackend";
import { NodeTimelinePage } from "./NodeTimelinePage";

beforeEach(mockElementSizes);
afterEach(() => vi.restoreAllMocks());

const plan = planOf(["a", "b"], ["a>b"]);
const unknown = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  usd: null,
};

function attemptOf(attempt: number): AttemptView {
  return {
    attempt,
    session: `session-${attempt}`,
    agent: null,
    startedAt: 0,
    endedAt: 5_000,
    outcome: { kind: "failed", failure: { reason: "exit_code", code: attempt } },
    sentence: `ended with exit code ${attempt}`,
    artifact: null,
    usage: unknown,
  };
}

function open(
  view: PlanView,
  run: RunView | undefined,
  node: string,
  attempts: AttemptView[] = [],
) {
  const session = new FakeSession(3);
  const fake = fakeBackend({
    plan_get: () => view,
    run_progress: () => run ?? Promise.reject(new Error("no run")),
    plan_version_get: () => plan,
    node_attempts: () => attempts,
    session_timeline: ({ session: _, ...range }) => session.read(range),
    session_get: (input) => ({
      id: input.session,
      plan: plan.id,
      planTitle: plan.title,
      run: "run",
      node,
      title: "",
      attempt: 1,
      agent: null,
      nativeId: null,
      transcript: null,
      argv: ["sh", "-c", `exit ${input.session.at(-1)}`],
      cwd: "/home/ada",
      folder: "",
      startedAt: 0,
      endedAt: 5_000,
      live: false,
      usage: unknown,
      stdoutBytes: 12,
      stderrBytes: 0,
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

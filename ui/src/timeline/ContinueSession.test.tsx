import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { NodeRunView, SessionResumability } from "@/api/bindings";
import { planOf, runOf, viewOf } from "@/plan/planFixture";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { ContinueSession, type ContinueSessionProps } from "./ContinueSession";
import { canContinueSession } from "./canContinueSession";

const plan = planOf(["a"], []);
const run = runOf(plan, {});
const able: SessionResumability = { cannotContinue: null, cannotFork: null };
const ofNode: ContinueSessionProps = {
  of: { session: "s", transcript: null },
  node: { run: "run", node: "a" },
};
const ofTranscript: ContinueSessionProps = { of: { session: null, transcript: "claude:x" } };

function open(props: ContinueSessionProps, reach: SessionResumability = able) {
  const fake = fakeBackend({
    session_reach: () => reach,
    node_continue: () => run.summary,
    session_plan: () => viewOf(plan),
  });
  renderAtPath(fake.backend, <ContinueSession {...props} />);
  return fake;
}

test("continues the node's session with a message", async () => {
  const { inputsOf } = open(ofNode);
  await userEvent.click(await screen.findByRole("button", { name: "Continue this session" }));
  const field = screen.getByRole("textbox", { name: "What should the agent do next?" });
  expect(field).toHaveFocus();
  expect(field).toHaveAccessibleDescription(/finished nodes that depend on it become stale/);
  expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
  await userEvent.type(field, "And now the tests{Control>}{Enter}{/Control}");
  await waitFor(() =>
    expect(inputsOf("node_continue")).toEqual([
      { run: "run", node: "a", session: "s", message: "And now the tests" },
    ]),
  );
  await screen.findByRole("button", { name: "Continue this session" });
});

test("forking creates a blueprint and keeps the session", async () => {
  const { inputsOf } = open(ofNode);
  await userEvent.click(await screen.findByRole("button", { name: "Fork" }));
  const field = screen.getByRole("textbox");
  expect(field).toHaveAccessibleDescription(/The original stays unchanged/);
  await userEvent.type(field, "Try it the other way");
  await userEvent.click(screen.getByRole("button", { name: "Fork into blueprint" }));
  expect(inputsOf("session_plan")).toEqual([
    { session: "s", transcript: null, message: "Try it the other way", fork: true, cwd: null },
  ]);
});

test("continuing an agent's own session shows a warning", async () => {
  const { inputsOf } = open(ofTranscript);
  await userEvent.click(await screen.findByRole("button", { name: "Continue this session" }));
  expect(screen.getByText(/appends to this session's history file/)).toBeVisible();
  await userEvent.type(screen.getByRole("textbox"), "Go on");
  await userEvent.click(screen.getByRole("button", { name: "Continue in blueprint" }));
  expect(inputsOf("session_plan")).toEqual([
    { session: null, transcript: "claude:x", message: "Go on", fork: false, cwd: null },
  ]);
  expect(inputsOf("node_continue")).toEqual([]);
});

test("an earlier attempt can be forked, but not continued", async () => {
  open({ of: ofNode.of });
  expect(await screen.findByRole("button", { name: "Fork" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Continue this session" })).toBeNull();
});

test("an agent that can neither continue nor fork shows why", async () => {
  const why = "The file of the session is gone.";
  open(ofNode, { cannotContinue: why, cannotFork: why });
  expect(await screen.findByText(why)).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

test("an error is shown at the field and the text is kept", async () => {
  const fake = fakeBackend({
    session_reach: () => able,
    node_continue: () => Promise.reject(new ApiError("conflict", "The node has a newer session.")),
  });
  renderAtPath(fake.backend, <ContinueSession {...ofNode} />);
  await userEvent.click(await screen.findByRole("button", { name: "Continue this session" }));
  await userEvent.type(screen.getByRole("textbox"), "Go on");
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText("The node has a newer session.")).toBeVisible();
  expect(screen.getByRole("textbox")).toHaveValue("Go on");
  await userEvent.type(screen.getByRole("textbox"), "{Escape}");
  expect(screen.queryByRole("textbox")).toBeNull();
});

test.each<[NodeRunView["state"], boolean]>([
  [{ state: "done", by_hand: false } as unknown as NodeRunView["state"], true],
  [{ state: "interrupted", detail: "" }, true],
  [{ state: "running" }, false],
  [{ state: "pending" }, false],
  [{ state: "waiting", for: { kind: "slot" } }, false],
  [{ state: "waiting", for: { kind: "limit_until", at: 1 } }, true],
])("a node that is %o can continue: %s", (state, may) => {
  const nodeRun = { session: "s", state } as NodeRunView;
  const attempt = { session: "s" } as Parameters<typeof canContinueSession>[1];
  expect(canContinueSession(nodeRun, attempt)).toBe(may);
  expect(canContinueSession({ ...nodeRun, session: "later" }, attempt)).toBe(false);
});

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import type { AttemptView, NodeRunView, NodeState, Plan } from "@/api/bindings";
import { FakeSession, makeEntry } from "@/attempt/timelineFixture";
import { createEditor, EditorContext, useEditor } from "@/plan/editor";
import { useInspectorTab } from "@/plan/inspectorTab";
import { planOf, runOf, savedOf, viewOf } from "@/plan/planFixture";
import { resetAppState } from "@/shell/appState";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { BulkFields } from "./BulkFields";
import { NodeInspector } from "./NodeInspector";

afterEach(() => {
  useInspectorTab.setState(useInspectorTab.getInitialState());
  resetAppState();
});

const argv = (plan: Plan): Plan => ({
  ...plan,
  // An argument list needs no code editor, which jsdom can't render.
  nodes: plan.nodes.map((node) => ({
    ...node,
    kind: { kind: "command", command: ["true"], env: {}, cwd: null },
  })),
});

function open(
  plan: Plan,
  id: string,
  states?: Record<string, NodeState>,
  facts: Partial<NodeRunView> = {},
  attempts: AttemptView[] = [],
) {
  const session = new FakeSession(1, (seq) =>
    makeEntry(seq, {
      type: "permission",
      request: "r1",
      tool: "Bash",
      summary: "push",
      input: { command: "git push --force" },
      state: "asked",
    }),
  );
  const run = states && runOf(plan, states);
  if (run) for (const node of run.nodes) Object.assign(node, { session: "session" }, facts);
  const fake = fakeBackend({
    plan_save: () => savedOf(),
    node_attempts: () => attempts,
    node_summary: () => ({ attempt: 1, markdown: "", bytes: 0, cut: false }),
    node_context: () => ({ text: "", tokens: 0, given: false, parents: [], prompt: null }),
    session_timeline: ({ session: _, ...range }) => session.read(range),
    session_question: () => ({
      tool: "Bash",
      summary: "git push",
      input: { command: "git push --force" },
      begins: [],
    }),
    node_answer: () => run?.summary ?? Promise.reject(new Error("no run")),
    node_retry: () => run?.summary ?? Promise.reject(new Error("no run")),
    node_mark_done: () => run?.summary ?? Promise.reject(new Error("no run")),
  });
  const editor = createEditor(fake.backend, viewOf(plan));
  editor.getState().showRun(run?.summary.id, run);
  const { unmount } = renderAtPath(
    fake.backend,
    <EditorContext value={editor}>
      <Shown id={id} />
    </EditorContext>,
  );
  const node = () => editor.getState().plan.nodes.find((candidate) => candidate.id === id);
  return { ...fake, editor, node, unmount };
}

function Shown({ id }: { id: string }) {
  const { plan, run } = useEditor();
  const node = plan.nodes.find((candidate) => candidate.id === id);
  return node ? <NodeInspector node={node} run={run} /> : null;
}

const done: NodeState = { state: "done", byHand: false };
const expectTab = (name: string) =>
  expect(screen.getByRole("tab", { selected: true })).toHaveAccessibleName(
    expect.stringContaining(name),
  );
const field = (name: string) => screen.getByRole("textbox", { name });

test("typing a title is one undo step", async () => {
  const { editor, node } = open(argv(planOf(["a"], [])), "a");
  await userEvent.type(field("Title"), " now");
  expect(node()?.title).toBe("Title of a now");
  editor.getState().undo();
  expect(node()?.title).toBe("Title of a");
  expect(editor.getState().canUndo).toBe(false);
});

test("renaming an id can update references in one undo step", async () => {
  const plan = argv(planOf(["a", "b"], ["a>b"]));
  const naming = plan.nodes.map((node) =>
    node.id === "b"
      ? {
          ...node,
          kind: {
            kind: "command" as const,
            command: ["echo", "{{nodes.a.outputs.x}}"],
            env: {},
            cwd: null,
          },
        }
      : node,
  );
  const { editor } = open({ ...plan, nodes: naming }, "a");
  await userEvent.click(screen.getByRole("button", { name: /^More/ }));
  await userEvent.clear(field("ID"));
  await userEvent.type(field("ID"), "first{Enter}");
  await userEvent.click(await screen.findByRole("button", { name: "Rename references too" }));
  const commands = () => editor.getState().plan.nodes.map(({ kind }) => kind);
  expect(commands()[1]).toMatchObject({ command: ["echo", "{{nodes.first.outputs.x}}"] });
  editor.getState().undo();
  expect(commands()[1]).toMatchObject({ command: ["echo", "{{nodes.a.outputs.x}}"] });
});

test("a duplicate id shows an error and does not change the plan", async () => {
  const { node, editor } = open(argv(planOf(["a", "b"], [])), "a");
  await userEvent.click(screen.getByRole("button", { name: /^More/ }));
  await userEvent.clear(field("ID"));
  await userEvent.type(field("ID"), "b{Enter}");
  expect(screen.getByText(/already has this ID/)).toBeVisible();
  expect(node()?.slug).toBe("a");
  await userEvent.keyboard("{Escape}");
  expect(field("ID")).toHaveValue("a");
  expect(editor.getState().canUndo).toBe(false);
});

test("a dependency that would create a cycle is disabled with the reason", async () => {
  const { editor } = open(argv(planOf(["a", "b", "c"], ["a>b"])), "a");
  await userEvent.click(screen.getByRole("combobox", { name: "Add dependency" }));
  const refused = await screen.findByRole("option", { name: /Title of b/ });
  expect(refused).toHaveAttribute("aria-disabled", "true");
  expect(refused).toHaveTextContent("would create a cycle: Title of b → Title of a → Title of b");
  await userEvent.click(screen.getByRole("option", { name: /Title of c/ }));
  expect(editor.getState().plan.edges).toContainEqual({ parent: "c", child: "a", soft: false });
  const adding = screen.getByRole("combobox", { name: "Add dependency" });
  await waitFor(() => expect(adding, "ready for the next one").toHaveFocus());
});

test("a dependency can be made soft and removed", async () => {
  const { editor } = open(argv(planOf(["a", "b"], ["a>b"])), "b");
  await userEvent.click(screen.getByRole("switch", { name: "Wait for Title of a" }));
  expect(editor.getState().plan.edges[0]?.soft).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Remove dependency on Title of a" }));
  expect(editor.getState().plan.edges).toEqual([]);
});

test("removing a dependency by keyboard moves focus to the next one", async () => {
  open(argv(planOf(["a", "b", "c"], ["a>c", "b>c"])), "c");
  const removeOf = (title: string) =>
    screen.getByRole("button", { name: `Remove dependency on ${title}` });
  removeOf("Title of a").focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(removeOf("Title of b")).toHaveFocus());
  await userEvent.keyboard("{Enter}");
  await waitFor(() =>
    expect(screen.getByRole("combobox", { name: "Add dependency" })).toHaveFocus(),
  );
});

test("a long list of parents is expanded on request", async () => {
  const parents = Array.from({ length: 120 }, (_, at) => `p${at}`);
  const plan = planOf(
    [...parents, "last"],
    parents.map((parent) => `${parent}>last`),
  );
  open(argv(plan), "last");
  const listed = () => screen.getAllByRole("switch", { name: /^Wait for/ }).length;
  expect(listed()).toBe(50);
  await userEvent.click(screen.getByRole("button", { name: "Show more, 70 left" }));
  expect(listed()).toBe(120);
  expect(screen.queryByRole("button", { name: /^Show more/ })).toBeNull();
  expect(document.activeElement, "focus moves to the first new row").toHaveTextContent(
    "Title of p50",
  );
});

test("parses a timeout and reports invalid ones", async () => {
  const { node } = open(argv(planOf(["a"], [])), "a");
  await userEvent.click(screen.getByRole("button", { name: /^Policies/ }));
  await userEvent.type(field("Timeout"), "soon{Enter}");
  expect(screen.getByText(/Enter a duration such as/)).toBeVisible();
  expect(node()?.timeoutMs).toBeNull();
  await userEvent.clear(field("Timeout"));
  await userEvent.type(field("Timeout"), "2 min");
  await userEvent.tab();
  expect(node()?.timeoutMs).toBe(120_000);
});

test("a waiting node shows its request on every tab", async () => {
  const { inputsOf } = open(argv(planOf(["a"], [])), "a", {
    a: {
      state: "waiting",
      for: { kind: "person", question: "May I push?", request: "r1", call: null },
    },
  });
  await userEvent.click(screen.getByRole("tab", { name: /Attempts/ }));
  const question = within(screen.getByRole("region", { name: "Question from this node" }));
  expect(question.getByText("May I push?")).toBeVisible();
  expect(await question.findByText("git push --force")).toBeVisible();
  await userEvent.click(question.getByRole("button", { name: "Deny" }));
  expect(inputsOf("node_answer")).toEqual([
    { run: "run", node: "a", request: "r1", answer: { kind: "deny", reason: "" } },
  ]);
});

test("disabled actions explain why and do nothing", async () => {
  const { inputsOf } = open(argv(planOf(["a"], [])), "a", {
    a: { state: "failed", failure: { reason: "exit_code", code: 2 } },
  });
  expect(screen.getByText("Exit code 2")).toBeVisible();
  const link = { name: "Show attempts and output" };
  expect(screen.queryByRole("button", link), "they are shown").toBeNull();
  await userEvent.click(screen.getByRole("tab", { name: "Task" }));
  await userEvent.click(screen.getByRole("button", link));
  expectTab("Attempts");
  await userEvent.click(await screen.findByRole("button", { name: "Retry" }));
  await waitFor(() =>
    expect(inputsOf("node_retry")).toEqual([{ run: "run", node: "a", resume: null }]),
  );
});

test("a running node cannot be retried", async () => {
  const { inputsOf } = open(argv(planOf(["a"], [])), "a", { a: { state: "running" } });
  await userEvent.click(screen.getByRole("tab", { name: /Attempts/ }));
  const retry = await screen.findByRole("button", { name: "Retry" });
  expect(retry).toHaveAccessibleDescription("Already running");
  await userEvent.click(retry);
  expect(inputsOf("node_retry")).toEqual([]);
});

test("explains when a change takes effect if the node has run", async () => {
  open(argv(planOf(["a"], [])), "a", { a: { state: "done", byHand: false } });
  await userEvent.click(screen.getByRole("tab", { name: "Task" }));
  expect(screen.getByText(/takes effect in the next run/)).toBeVisible();
});

test("several nodes change in one undo step", async () => {
  const plan = argv(planOf(["a", "b"], []));
  const { backend } = fakeBackend({ plan_save: () => savedOf() });
  const editor = createEditor(backend, viewOf(plan));
  renderAtPath(
    backend,
    <EditorContext value={editor}>
      <BulkFields nodes={plan.nodes} />
    </EditorContext>,
  );
  await userEvent.clear(field("Retries"));
  await userEvent.type(field("Retries"), "3{Enter}");
  expect(editor.getState().plan.nodes.map((node) => node.maxRetries)).toEqual([3, 3]);
  editor.getState().undo();
  expect(editor.getState().plan.nodes.map((node) => node.maxRetries)).toEqual([0, 0]);
});

test("a node without output for a long time links to its timeline", () => {
  const quietSince = Date.now() - 12 * 60_000;
  open(argv(planOf(["a"], [])), "a", { a: { state: "running" } }, { quietSince });
  expect(screen.getByText("Quiet for 12 min.").closest("p")).toHaveTextContent(
    "Quiet for 12 min. It may be thinking or stuck. Check its timeline, or stop the run.",
  );
  expect(screen.getByRole("link", { name: "timeline" })).toHaveAttribute(
    "href",
    "/blueprints/plan/nodes/a",
  );
});

test("a node that never ran opens on its task, whatever tab was open before", async () => {
  open(argv(planOf(["a"], [])), "a", { a: { state: "pending" } }, { attempt: 0 });
  expectTab("Task");
  await userEvent.click(screen.getByRole("tab", { name: "Handoff" }));
  expectTab("Handoff");
  expect(useInspectorTab.getState().tab, "for nodes that ran").toBe("attempts");
});

test("a node that ran opens on what happened, or on the tab that was chosen last", async () => {
  const ran = () => open(argv(planOf(["a"], [])), "a", { a: done }, { attempt: 1 });
  const { unmount } = ran();
  expectTab("Attempts");
  await userEvent.click(screen.getByRole("tab", { name: "Handoff" }));
  unmount();
  ran();
  expectTab("Handoff");
});

test("a node that starts stays on the task until another tab is opened", () => {
  const plan = argv(planOf(["a"], []));
  const { editor } = open(plan, "a");
  act(() => editor.getState().showRun("run", runOf(plan, { a: { state: "running" } })));
  expect(screen.getByText(/^This node is running/)).toBeVisible();
  expectTab("Task");
  act(() => useInspectorTab.getState().open("handoff"));
  expectTab("Handoff");
});

test("an attempt shows its worked and its waited time", async () => {
  // jsdom has no layout.
  Element.prototype.scrollTo ??= () => undefined;
  const attempt: AttemptView = {
    ...{ attempt: 1, session: "session", agent: null, startedAt: 0, endedAt: 5_000 },
    times: { workedMs: 4_900, waitedMs: 14_000, elapsedMs: 5_000, workingSince: null },
    outcome: { kind: "succeeded" },
    sentence: "done",
    artifact: null,
    usage: {
      ...{ inputTokens: null, outputTokens: null, usd: null },
      ...{ cacheReadTokens: null, cacheWriteTokens: null },
    },
  };
  open(argv(planOf(["a"], [])), "a", { a: done }, { attempt: 1 }, [attempt]);
  const row = await screen.findByRole("button", { name: /Attempt 1/ });
  expect(row).toHaveTextContent("4.9 s");
  expect(row).toHaveTextContent("Waited 14 s");
});

test("the command is directly below the title, and id and description are folded", () => {
  open(argv(planOf(["a"], [])), "a");
  const title = screen.getByRole("textbox", { name: "Title" });
  const identity = screen.getByRole("button", { name: /^More/ });
  expect(identity).toHaveAttribute("aria-expanded", "false");
  expect(screen.queryByRole("textbox", { name: "ID" })).toBeNull();
  const boxes = screen.getAllByRole("textbox");
  expect(boxes[boxes.indexOf(title) + 1], "the program").toHaveValue("true");
  expect(title.compareDocumentPosition(identity) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  const type = screen.getByRole("radiogroup", { name: "Command type" });
  expect(title.compareDocumentPosition(type) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  expect(
    screen.getByDisplayValue("true").compareDocumentPosition(type) &
      Node.DOCUMENT_POSITION_FOLLOWING,
    "nothing between title and command",
  ).toBeTruthy();
});

test("More opens by keyboard, and stays open for the next node", async () => {
  const plan = argv(planOf(["a", "b"], []));
  const { unmount } = open(plan, "a");
  screen.getByRole("button", { name: /^More/ }).focus();
  await userEvent.keyboard("{Enter}");
  expect(field("Description")).toBeVisible();
  unmount();
  const second = open(plan, "b");
  expect(field("ID")).toHaveValue("b");
  await userEvent.click(screen.getByRole("button", { name: /^More/ }));
  second.unmount();
  open(plan, "a");
  expect(screen.queryByRole("textbox", { name: "ID" })).toBeNull();
});

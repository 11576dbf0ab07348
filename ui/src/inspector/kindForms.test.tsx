import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ApiError } from "@/api/ApiError";
import type { NodeKind, Plan, PlanProblem, ToolInfo } from "@/api/bindings";
import { createEditor, EditorContext, useEditor } from "@/plan/editor";
import { planOf, savedOf, viewOf } from "@/plan/planFixture";
import { summaryOf } from "@/plan/planSummaryFixture";
import { fakeBackend, renderAtPath } from "@/shell/fakeBackend";
import { TaskTab } from "./TaskTab";

const tools: ToolInfo[] = [
  {
    name: "read",
    description: "Reads a text file.",
    guarded: false,
    arguments: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, like `a.txt`." },
        limit: { type: "integer", description: "How many lines." },
      },
      required: ["path"],
    },
  },
  { name: "shell", description: "Runs a line.", guarded: true, arguments: {} },
];

function withKind(plan: Plan, id: string, kind: NodeKind): Plan {
  return { ...plan, nodes: plan.nodes.map((node) => (node.id === id ? { ...node, kind } : node)) };
}

function open(plan: Plan, id: string, found?: PlanProblem[], problems: PlanProblem[] = []) {
  const fake = fakeBackend({
    plan_save: () => {
      if (found) throw new ApiError("invalid", "no");
      return savedOf();
    },
    plan_check: () => found ?? [],
    tools_list: () => tools,
    tools_of_servers: () => [],
    plans_list: () => [summaryOf("plan", { title: "Plan" }), summaryOf("p2", { title: "Release" })],
  });
  const editor = createEditor(fake.backend, viewOf(plan, { problems }));
  renderAtPath(
    fake.backend,
    <EditorContext value={editor}>
      <Shown id={id} />
    </EditorContext>,
  );
  const kind = () => editor.getState().plan.nodes.find((node) => node.id === id)?.kind;
  const node = () => editor.getState().plan.nodes.find((candidate) => candidate.id === id);
  return { ...fake, editor, kind, node };
}

function Shown({ id }: { id: string }) {
  const node = useEditor((state) => state.plan.nodes.find((candidate) => candidate.id === id));
  return node ? <TaskTab node={node} nodeRun={undefined} /> : null;
}

const readCall = { toolName: "read", toolArgs: { path: "a.txt" } };
const choose = async (field: string, option: RegExp | string) => {
  await userEvent.click(screen.getByRole("combobox", { name: field }));
  await userEvent.click(await screen.findByRole("option", { name: option }));
};

test("tool arguments are a form from the schema, with undo", async () => {
  const plan = withKind(planOf(["a"], []), "a", { kind: "tool_call", ...readCall });
  const { editor, kind } = open(plan, "a");
  const path = await screen.findByRole("textbox", { name: "path" });
  expect(path).toHaveAccessibleDescription("The file, like a.txt.");
  await userEvent.clear(path);
  expect(path).toHaveAccessibleDescription("path is required.");
  await userEvent.type(path, "b.txt");
  await userEvent.type(screen.getByRole("textbox", { name: "limit (optional)" }), "5{Enter}");
  expect(kind()).toMatchObject({ toolArgs: { path: "b.txt", limit: 5 } });
  editor.getState().undo();
  expect(kind()).toMatchObject({ toolArgs: { path: "b.txt" } });
  editor.getState().undo();
  expect(kind()).toMatchObject({ toolArgs: { path: "a.txt" } });
});

test("arguments can be edited as JSON, and invalid JSON is rejected", async () => {
  const plan = withKind(planOf(["a"], []), "a", { kind: "tool_call", ...readCall });
  const { kind } = open(plan, "a");
  await userEvent.click(await screen.findByRole("radio", { name: "JSON" }));
  const json = screen.getByRole("textbox", { name: "Arguments" });
  await userEvent.clear(json);
  await userEvent.type(json, '{{"path": "c"');
  expect(screen.getByText(/Invalid JSON/)).toBeVisible();
  expect(kind()).toMatchObject({ toolArgs: {} });
  await userEvent.type(json, "}");
  expect(kind()).toMatchObject({ toolArgs: { path: "c" } });
});

test("an unlisted tool can be entered", async () => {
  const plan = withKind(planOf(["a"], []), "a", { kind: "tool_call", ...readCall });
  const { kind } = open(plan, "a");
  await userEvent.click(screen.getByRole("combobox", { name: "Tool" }));
  await userEvent.type(screen.getByPlaceholderText("Search or type"), "tickets/list");
  await userEvent.click(await screen.findByText("Use “tickets/list”"));
  expect(kind()).toMatchObject({ toolName: "tickets/list" });
});

test("branches of a condition are selected by title, and earlier nodes are rejected", async () => {
  const plan = withKind(planOf(["a", "fork", "b"], ["a>fork"]), "fork", {
    kind: "condition",
    condition: "true",
    trueStep: null,
    falseStep: null,
  });
  const { kind, editor } = open(plan, "fork");
  await choose("If true, go to", /Title of b/);
  expect(kind()).toMatchObject({ trueStep: "b" });
  await userEvent.click(screen.getByRole("combobox", { name: "If false, go to" }));
  const refused = await screen.findByRole("option", { name: /Title of a/ });
  expect(refused).toHaveAttribute("aria-disabled", "true");
  await userEvent.keyboard("{Escape}");
  editor.getState().undo();
  expect(kind()).toMatchObject({ trueStep: null });
});

test("selecting a snippet inserts it into the condition", async () => {
  const plan = withKind(planOf(["a", "fork"], ["a>fork"]), "fork", {
    kind: "condition",
    condition: "true",
    trueStep: null,
    falseStep: null,
  });
  const { kind } = open(plan, "fork");
  await userEvent.click(screen.getByRole("button", { name: "Insert" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: /result:a/ }));
  expect(kind()).toMatchObject({ condition: "result:a" });
});

test("an invalid command value shows an error", async () => {
  const plan = withKind(planOf(["work"], []), "work", {
    kind: "command",
    command: "make",
    env: {},
    cwd: null,
  });
  const found = (field: "command" | "env", expression: string): PlanProblem => ({
    problem: {
      problem: "node",
      node: "work",
      title: "Work",
      field,
      fault: {
        fault: "unsafe_value",
        expression: `nodes.a.outputs.${expression}`,
        place: "program",
      },
    },
    sentence: `'Work' puts the value of ${expression} there`,
    preventsSaving: true,
  });
  const { editor } = open(plan, "work", [found("command", "x"), found("env", "y")]);
  await userEvent.type(screen.getByRole("textbox", { name: "Directory" }), "sub");
  await editor.getState().flush();
  await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(2));
  const [first, second] = screen.getAllByRole("alert");
  expect(first).toHaveTextContent("'Work' puts the value of x there.");
  expect(second).toHaveTextContent("'Work' puts the value of y there.");
});

const emptyCondition: PlanProblem = {
  problem: {
    problem: "node",
    node: "fork",
    title: "Title of fork",
    field: "condition",
    fault: { fault: "no_condition" },
  },
  sentence: "'Title of fork' has an empty condition",
  preventsSaving: false,
};

test("backend validation errors are shown at their fields", async () => {
  const plan = withKind(planOf(["fork"], []), "fork", {
    kind: "condition",
    condition: "true",
    trueStep: null,
    falseStep: null,
  });
  const { editor } = open(plan, "fork", [emptyCondition]);
  const condition = screen.getByRole("textbox", { name: "Condition" });
  await userEvent.clear(condition);
  await editor.getState().flush();
  await waitFor(() =>
    expect(condition).toHaveAccessibleDescription("'Title of fork' has an empty condition."),
  );
});

test("what a saved node still lacks is shown at its field from the start", () => {
  const kind = { kind: "condition", condition: "", trueStep: null, falseStep: null } as const;
  const plan = withKind(planOf(["fork"], []), "fork", kind);
  open(plan, "fork", undefined, [emptyCondition]);
  expect(screen.getByRole("textbox", { name: "Condition" })).toHaveAccessibleDescription(
    "'Title of fork' has an empty condition.",
  );
});

test("calls can be added, moved and removed, each one undo step", async () => {
  const plan = withKind(planOf(["a"], []), "a", {
    kind: "parallel",
    steps: [readCall, { toolName: "glob", toolArgs: {} }],
    waitAll: true,
    maxConcurrent: 5,
  });
  const { kind, editor } = open(plan, "a");
  const names = () => {
    const now = kind();
    return now?.kind === "parallel" ? now.steps.map(({ toolName }) => toolName) : [];
  };
  await userEvent.click(screen.getByRole("button", { name: "Move call 2 up" }));
  expect(names()).toEqual(["glob", "read"]);
  await userEvent.click(screen.getByRole("button", { name: "Remove call 1" }));
  expect(names()).toEqual(["read"]);
  await userEvent.click(screen.getByRole("button", { name: "Add call" }));
  expect(names()).toEqual(["read", "shell"]);
  expect(within(screen.getByRole("list", { name: "Calls" })).getAllByRole("listitem")).toHaveLength(
    2,
  );
  await userEvent.click(screen.getByRole("switch", { name: "Let all finish" }));
  expect(kind()).toMatchObject({ waitAll: false });
  for (let step = 0; step < 4; step += 1) editor.getState().undo();
  expect(names()).toEqual(["read", "glob"]);
});

test("a loop repeats a tool or a blueprint found by title", async () => {
  const plan = withKind(planOf(["a"], []), "a", {
    kind: "loop",
    body: { tool: readCall },
    maxIterations: 10,
    loopCondition: null,
  });
  const { kind } = open(plan, "a");
  await userEvent.click(screen.getByRole("radio", { name: "A blueprint" }));
  expect(await screen.findByText(/Choose the blueprint to run/)).toBeVisible();
  await userEvent.click(screen.getByRole("combobox", { name: "Blueprint" }));
  expect(screen.queryByRole("option", { name: "Plan" }), "not itself").not.toBeInTheDocument();
  await userEvent.click(await screen.findByRole("option", { name: "Release" }));
  expect(kind()).toMatchObject({ body: { plan: { subPlanId: "p2" } } });
  expect(screen.getByRole("link", { name: "Open blueprint" })).toHaveAttribute(
    "href",
    "/blueprints/p2?from=plan&fromNode=a",
  );
  await userEvent.type(screen.getByRole("textbox", { name: "Continue while" }), "iteration < 3");
  expect(kind()).toMatchObject({ loopCondition: "iteration < 3" });
});

test("rules with default values are collapsed and explain automatic", async () => {
  const plan = planOf(["a", "b"], ["a>b"]);
  const argv = { kind: "command", command: ["true"], env: {}, cwd: null } as const;
  const { node } = open(withKind(plan, "b", { ...argv, command: ["true"] }), "b");
  const head = screen.getByRole("button", { name: /^Policies/ });
  expect(head).toHaveAttribute("aria-expanded", "false");
  await userEvent.click(head);
  expect(screen.getByText("Automatic for this node: all succeeded.")).toBeVisible();
  await choose("After the last failure", "Continue at another node");
  expect(node()?.onFailure, "unchanged until the node is chosen").toBe("abort");
  expect(screen.getByRole("combobox", { name: "Continue at" })).toHaveTextContent("No node chosen");
  await userEvent.type(screen.getByRole("textbox", { name: "Token limit" }), "200k{Enter}");
  expect(node()?.budget).toEqual({ tokens: 200_000, costUsd: null });
});

test("custom rules are expanded", () => {
  const plan = planOf(["a"], []);
  const [node] = plan.nodes;
  if (!node) throw new Error("the fixture has a node");
  const argv = { kind: "command" as const, command: ["true"], env: {}, cwd: null };
  open({ ...plan, nodes: [{ ...node, kind: argv, maxRetries: 2 }] }, "a");
  expect(screen.getByRole("textbox", { name: "Retries" })).toHaveValue("2");
});

test("an agent node can use a team, and a missing team shows an error", async () => {
  const backend = {
    plan_save: () => savedOf(),
    plan_check: () => [],
    agents_list: () => [],
    teams_list: () => [
      { name: "crew", members: ["codex"], rule: "rotate" as const, asks: null, model: null },
    ],
    tools_list: () => [],
    plans_list: () => [],
  };
  const fake = fakeBackend(backend);
  const work: NodeKind = {
    kind: "agent",
    agent: "team:gone",
    model: null,
    prompt: "Work.",
    toolScope: null,
  };
  const editor = createEditor(fake.backend, viewOf(withKind(planOf(["a"], []), "a", work)));
  renderAtPath(
    fake.backend,
    <EditorContext value={editor}>
      <Shown id="a" />
    </EditorContext>,
  );
  expect(await screen.findByText(/There is no team gone/, {}, { timeout: 10_000 })).toBeVisible();
  await userEvent.click(screen.getByRole("combobox", { name: "Agent" }));
  await userEvent.click(await screen.findByRole("option", { name: /Team crew/ }));
  expect(editor.getState().plan.nodes[0]?.kind).toMatchObject({ agent: "team:crew" });
  await waitFor(() => expect(screen.queryByText(/There is no team/)).toBeNull());
});

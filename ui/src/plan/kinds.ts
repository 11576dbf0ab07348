import type { NodeKind, ToolCall } from "@/api/bindings";

/** The kinds of nodes: their names, labels and defaults. */

export type KindName = NodeKind["kind"];

/** All kinds, in menu order. */
export const kindNames = [
  "agent",
  "llm_decision",
  "command",
  "tool_call",
  "parallel",
  "user_input",
  "condition",
  "loop",
  "sub_plan",
  "note",
] as const satisfies readonly KindName[];

export function isKindName(word: unknown): word is KindName {
  return kindNames.some((name) => name === word);
}

const firstCall = (): ToolCall => ({ toolName: "shell", toolArgs: { command: "true" } });

const blankKinds: Record<KindName, () => NodeKind> = {
  agent: () => ({ kind: "agent", agent: null, model: null, prompt: "", toolScope: null }),
  command: () => ({ kind: "command", command: "", env: {}, cwd: null }),
  tool_call: () => ({ kind: "tool_call", ...firstCall() }),
  llm_decision: () => ({
    kind: "llm_decision",
    agent: null,
    model: null,
    prompt: "Is the work good enough to continue?",
    choices: ["yes", "no"],
  }),
  user_input: () => ({
    kind: "user_input",
    question: "Should the run continue?",
    inputType: "confirm",
    options: [],
    timeout: null,
  }),
  condition: () => ({ kind: "condition", condition: "true", trueStep: null, falseStep: null }),
  parallel: () => ({ kind: "parallel", steps: [firstCall()], waitAll: true, maxConcurrent: 5 }),
  loop: () => ({
    kind: "loop",
    body: { tool: firstCall() },
    maxIterations: 10,
    loopCondition: null,
  }),
  sub_plan: () => ({ kind: "sub_plan", subPlanId: "" }),
  note: () => ({ kind: "note", text: "" }),
};

/** The default settings of a new node. */
export function blankKind(kind: KindName): NodeKind {
  return blankKinds[kind]();
}

/** The text that a new node of this kind begins with, which is there to be replaced. */
export function defaultTextOf(kind: KindName): string | undefined {
  const blank = blankKind(kind);
  switch (blank.kind) {
    case "condition":
      return blank.condition;
    case "user_input":
      return blank.question;
    case "llm_decision":
      return blank.prompt;
    default:
      return undefined;
  }
}

/** The title of a node until it is renamed. */
export const blankTitles: Record<KindName, string> = {
  agent: "New agent node",
  command: "New command",
  tool_call: "New tool call",
  llm_decision: "New decision",
  user_input: "New question",
  condition: "New condition",
  parallel: "New parallel calls",
  loop: "New loop",
  sub_plan: "New sub-plan",
  note: "Note",
};

/** The name of a kind within a sentence. */
export const kindLabels: Record<KindName, string> = {
  agent: "agent",
  command: "command",
  tool_call: "tool call",
  llm_decision: "decision",
  user_input: "question",
  condition: "condition",
  parallel: "parallel calls",
  loop: "loop",
  sub_plan: "sub-plan",
  note: "note",
};

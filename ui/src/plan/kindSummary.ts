import type { LoopTask, Node, ToolCall } from "@/api/bindings";

/** What a node does, in one line: for its card, its row in the list, and the heads of folded forms. Pure. */

/** The titles of other blueprints by id, for nodes that run one. */
export type PlanTitles = ReadonlyMap<string, string>;

const noTitles: PlanTitles = new Map();

/** Who does it or what is done: the agent, the first words of the command, the question. */
export function kindSummary(node: Node, titles: PlanTitles = noTitles): string {
  const { kind } = node;
  switch (kind.kind) {
    case "agent":
      return kind.agent ?? "Default agent";
    case "command":
      return commandText(kind.command) || "No command yet";
    case "tool_call":
      return toolCallText(kind);
    case "llm_decision":
      return [kind.agent ?? "Default agent", kind.choices.join(" / ")].filter(Boolean).join(": ");
    case "user_input":
      return oneLine(kind.question) || "No question yet";
    case "condition":
      return oneLine(kind.condition) || "No condition yet";
    case "parallel":
      return kind.steps.length === 1
        ? "1 call"
        : `${kind.steps.length} calls, ${Math.min(kind.maxConcurrent, kind.steps.length)} at once`;
    case "loop":
      return loopText(kind, titles);
    case "sub_plan":
      return subPlanText(kind.subPlanId, titles);
    case "note":
      return "";
  }
}

/** Whether the line is something to be executed, which is written in the type of code. */
export function isCodeLine({ kind }: Node): boolean {
  return kind.kind === "command" || kind.kind === "tool_call" || kind.kind === "condition";
}

/** The plan that a node runs, as it names it; nothing when it runs none. */
export function subPlanIdOf({ kind }: Node): string | undefined {
  if (kind.kind === "sub_plan") return kind.subPlanId;
  return kind.kind === "loop" && "plan" in kind.body ? kind.body.plan.subPlanId : undefined;
}

/** A blueprint by its title, also where it is named by its id. */
function subPlanText(named: string, titles: PlanTitles): string {
  return oneLine(titles.get(named) ?? named) || "No blueprint yet";
}

function loopText({ body, maxIterations }: LoopTask, titles: PlanTitles): string {
  const what = "tool" in body ? toolCallText(body.tool) : subPlanText(body.plan.subPlanId, titles);
  return `Up to ${maxIterations} × ${what}`;
}

/** What tells most of a call, where a tool takes more than one text. */
const descriptiveArguments = ["command", "path", "url", "pattern", "name", "query"];

/** A call as a person would say it: the tool and the argument that tells most. */
export function toolCallText({ toolName, toolArgs }: ToolCall): string {
  const texts = [...descriptiveArguments.map((name) => toolArgs[name]), ...Object.values(toolArgs)];
  const argument = texts.find((value) => typeof value === "string");
  return [oneLine(toolName) || "No tool yet", oneLine(argument ?? "")].filter(Boolean).join(" ");
}

/** A command on one line, for reading. */
function commandText(command: string | readonly string[]): string {
  return oneLine(typeof command === "string" ? command : command.join(" "));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

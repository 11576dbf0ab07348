import type { LoopTask, Node, ToolCall } from "@/api/bindings";
import { firstCommand, oneLine } from "./firstCommand";

/**
 * What a node does, in one line: for its card, its row in the list and the headers of collapsed
 * forms. Pure.
 */

/** The titles of other blueprints by id, for nodes that run a sub-plan. */
export type PlanTitles = ReadonlyMap<string, string>;

const noTitles: PlanTitles = new Map();

/** Who does it or what is done: the agent, the command, the question. */
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

/** Reports whether the summary is code and should be set in a monospaced font. */
export function isCodeLine({ kind }: Node): boolean {
  return kind.kind === "command" || kind.kind === "tool_call" || kind.kind === "condition";
}

/** The id of the plan that a node runs, if any. */
export function subPlanIdOf({ kind }: Node): string | undefined {
  if (kind.kind === "sub_plan") return kind.subPlanId;
  return kind.kind === "loop" && "plan" in kind.body ? kind.body.plan.subPlanId : undefined;
}

/** The title of a blueprint; its id if the title is unknown. */
function subPlanText(named: string, titles: PlanTitles): string {
  return oneLine(titles.get(named) ?? named) || "No blueprint yet";
}

function loopText({ body, maxIterations }: LoopTask, titles: PlanTitles): string {
  const what = "tool" in body ? toolCallText(body.tool) : subPlanText(body.plan.subPlanId, titles);
  return `Up to ${maxIterations} × ${what}`;
}

/** The arguments that best describe a call, for tools with several text arguments. */
const descriptiveArguments = ["command", "path", "url", "pattern", "name", "query"];

/** A tool call in short: the tool and its most descriptive argument. */
export function toolCallText({ toolName, toolArgs }: ToolCall): string {
  const texts = [...descriptiveArguments.map((name) => toolArgs[name]), ...Object.values(toolArgs)];
  const argument = texts.find((value) => typeof value === "string") ?? "";
  const { command } = toolArgs;
  const isScript = argument === command;
  return [oneLine(toolName) || "No tool yet", isScript ? firstCommand(argument) : oneLine(argument)]
    .filter(Boolean)
    .join(" ");
}

/** A command on one line, for display. */
function commandText(command: string | readonly string[]): string {
  if (typeof command === "string") return firstCommand(command);
  const [shell = "", option = "", script] = command;
  const isScript = /(^|\/)(ba|da|z|k)?sh$/.test(shell) && /^-[a-z]*c$/.test(option);
  return isScript && script !== undefined ? firstCommand(script) : oneLine(command.join(" "));
}

import type { AgentProtocol } from "@/api/bindings";
import type { SelectOption } from "@/components/Select";

/** An agent in the dialog. The first item of `command` is the program. */
export interface AgentDraft {
  id: string;
  command: readonly string[];
  protocol: AgentProtocol;
}

const protocols: Record<AgentProtocol, string> = {
  plain: "Plain text",
  acp: "Agent Client Protocol (ACP)",
  claudeStream: "Claude or Qwen events",
  geminiStream: "Gemini events",
  opencodeStream: "OpenCode events",
};

const hints: Record<AgentProtocol, string> = {
  plain: "Baton shows the program's output. Its exit code decides whether the node succeeded.",
  acp: "Baton shows its tool calls, and answers when it asks for permission.",
  claudeStream:
    "For qwen --output-format stream-json and others that print Claude's events. Baton shows their tool calls, but can't answer permission requests.",
  geminiStream:
    "For gemini --output-format stream-json. Baton shows its tool calls, but can't answer permission requests.",
  opencodeStream:
    "For opencode run --format json. Baton shows its tool calls, but can't answer permission requests.",
};

/** The supported protocols, most common first. */
export const protocolOptions = Object.entries(protocols).map(([id, label]) => ({
  id,
  label,
})) as SelectOption<AgentProtocol>[];

/** Returns the explanation of a protocol. */
export function protocolHint(protocol: AgentProtocol): string {
  return hints[protocol];
}

/** Returns the initial command line. Only the plain protocol passes the prompt as a file. */
export function defaultCommand(protocol: AgentProtocol, program: string): string[] {
  if (protocol === "plain") return [program, "{prompt_file}"];
  if (protocol === "claudeStream" || protocol === "geminiStream")
    return [program, "--output-format", "stream-json"];
  if (protocol === "opencodeStream") return [program, "run", "--format", "json"];
  return [program];
}

/** Errors by field, as far as the window can check them. */
export interface DraftErrors {
  id?: string;
  program?: string;
}

/**
 * Validates a draft. `taken` has the names of other agents. Empty fields are no errors, but not
 * ready either.
 */
export function draftErrors(
  { id, command }: Pick<AgentDraft, "id" | "command">,
  taken: readonly string[],
): DraftErrors {
  const faults: DraftErrors = {};
  if (id !== "" && !/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id))
    faults.id = "Use letters, digits, “-” and “_”. Start with a letter or digit.";
  else if (taken.includes(id)) faults.id = "Another agent has this name.";
  if (/\s/.test(command[0]?.trim() ?? "") && !command[0]?.includes("/"))
    faults.program = "Only the program goes here. Put each argument in its own field.";
  return faults;
}

/** Returns whether the draft is complete and valid. */
export function isReady(draft: Pick<AgentDraft, "id" | "command">, faults: DraftErrors): boolean {
  return draft.id !== "" && Boolean(draft.command[0]?.trim()) && Object.keys(faults).length === 0;
}

/**
 * Returns the command line to save, without empty arguments at the end, which are unused fields.
 */
export function trimCommand(command: readonly string[]): string[] {
  const last = command.findLastIndex((argument) => argument !== "");
  return command.slice(0, last + 1).map((argument, at) => (at === 0 ? argument.trim() : argument));
}

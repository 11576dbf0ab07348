import type { AgentProtocol } from "@/api/bindings";
import type { SelectOption } from "@/components/Select";

/** An agent that is being written; the first argument is the program. */
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
  plain: "Baton shows the program’s output. Its exit code decides whether the node succeeded.",
  acp: "Baton talks to the program: it shows its tool calls, and answers when it asks for permission.",
  claudeStream:
    "For qwen --output-format stream-json and others that print claude's events. Baton shows their tool calls but cannot answer them.",
  geminiStream:
    "For gemini --output-format stream-json. Baton shows its tool calls but cannot answer it.",
  opencodeStream:
    "For opencode run --format json. Baton shows its tool calls but cannot answer it.",
};

/** What a program may speak, the usual first. */
export const protocolOptions = Object.entries(protocols).map(([id, label]) => ({
  id,
  label,
})) as SelectOption<AgentProtocol>[];

/** What Baton does with a program that speaks so. */
export function protocolHint(protocol: AgentProtocol): string {
  return hints[protocol];
}

/** The command line to begin with. All but programs that speak plain text take their prompt without a file. */
export function defaultCommand(protocol: AgentProtocol, program: string): string[] {
  if (protocol === "plain") return [program, "{prompt_file}"];
  if (protocol === "claudeStream" || protocol === "geminiStream")
    return [program, "--output-format", "stream-json"];
  if (protocol === "opencodeStream") return [program, "run", "--format", "json"];
  return [program];
}

/** What is wrong with a field of the draft, as far as this side can tell. */
export interface DraftErrors {
  id?: string;
  program?: string;
}

/** Looks over a draft. `taken` holds the names of other agents; empty fields are not faults but not ready either. */
export function draftErrors(
  { id, command }: Pick<AgentDraft, "id" | "command">,
  taken: readonly string[],
): DraftErrors {
  const faults: DraftErrors = {};
  if (id !== "" && !/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id))
    faults.id = "Use letters, digits, - and _, beginning with a letter or digit.";
  else if (taken.includes(id)) faults.id = "Another agent has this name.";
  if (/\s/.test(command[0]?.trim() ?? "") && !command[0]?.includes("/"))
    faults.program = "Only the program goes here. Put each argument in its own field.";
  return faults;
}

/** Whether the draft can be saved. */
export function isReady(draft: Pick<AgentDraft, "id" | "command">, faults: DraftErrors): boolean {
  return draft.id !== "" && Boolean(draft.command[0]?.trim()) && Object.keys(faults).length === 0;
}

/** The command line as it is saved: without empty arguments at its end, which are fields that were never filled. */
export function trimCommand(command: readonly string[]): string[] {
  const last = command.findLastIndex((argument) => argument !== "");
  return command.slice(0, last + 1).map((argument, at) => (at === 0 ? argument.trim() : argument));
}

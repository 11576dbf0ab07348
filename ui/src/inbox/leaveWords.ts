import type { Answer, AskedCall, Grant } from "@/api/bindings";

/** What was said, once it was taken. */
export function answerWords(answer: Answer): string {
  switch (answer.kind) {
    case "allow_once":
      return "Allowed, the session goes on";
    case "allow_node":
      return "Allowed for the node, the session goes on";
    case "allow_plan":
      return "Allowed for the plan, the session goes on";
    case "deny":
      return "Denied, the session goes on";
  }
}

/** What leave for the node or the plan would be given for. */
export function leaveWords({ tool, command }: AskedCall): string {
  const what = command === null ? `every call of ${tool}` : "this command, to the letter,";
  return `For the node: ${what} in this run. For the plan: ${what} in every node, also in later runs.`;
}

/** What was allowed, on one line. */
export function grantWords({ tool, command }: Grant): string {
  return command === null ? tool : `${tool}: ${command}`;
}

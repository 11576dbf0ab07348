import type { NodeId, TerminalEnd, TerminalView, WorkPlace } from "@/api/bindings";

/** The key that moves the focus out of a terminal, whose other keys belong to the program in it. */
export const leaveKeys = "Shift+F6";

export function isSamePlace(one: WorkPlace, other: WorkPlace): boolean {
  if (one.kind === "plan" || other.kind === "plan")
    return one.kind === "plan" && other.kind === "plan" && one.plan === other.plan;
  return one.run === other.run && one.node === other.node;
}

/** The name of a terminal's tab. */
export function terminalTitle(
  place: WorkPlace,
  titleOf: (node: NodeId) => string | undefined,
): string {
  return place.kind === "plan" ? "Blueprint" : (titleOf(place.node) ?? "Deleted node");
}

/** How the shell of a terminal ended, as a sentence. */
export function terminalEndText({ shell }: Pick<TerminalView, "shell">, end: TerminalEnd): string {
  const name = shell.split("/").at(-1) ?? shell;
  switch (end.kind) {
    case "exited":
      return `${name} exited with code ${end.code}.`;
    case "killed":
      return `${name} was ended by a signal: ${end.signal}.`;
    case "unknown":
      return `${name} has ended.`;
  }
}

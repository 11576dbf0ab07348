import { type CommandId, definitionOf } from "./catalog";
import type { localCommands } from "./catalog/local";
import { chordsOf, type KeyPress } from "./chord";
import type { LocalScope } from "./command";
import { keyBindings } from "./keyBindings";

/** A command of a list with its own shortcuts. */
export type LocalCommandId = keyof typeof localCommands;

/** The command that a key press runs in the focused list, if any. */
export function localCommandFor(scope: LocalScope, press: KeyPress): LocalCommandId | undefined {
  const { commandsOf } = keyBindings();
  const isOfIt = (id: CommandId): id is LocalCommandId => definitionOf(id).scope === scope;
  return chordsOf(press).flatMap(commandsOf).find(isOfIt);
}

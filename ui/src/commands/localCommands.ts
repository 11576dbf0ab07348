import { type CommandId, definitionOf } from "./catalog";
import type { localCommands } from "./catalog/local";
import { chordsOf, type KeyPress } from "./chord";
import type { LocalScope } from "./command";
import { keyBindings } from "./keyBindings";

/** What a list does by its own keys. */
export type LocalCommandId = keyof typeof localCommands;

/** What a press means in a list that has the focus, as its keys are bound now; nothing when it means nothing there. */
export function localCommandFor(scope: LocalScope, press: KeyPress): LocalCommandId | undefined {
  const { commandsOf } = keyBindings();
  const isOfIt = (id: CommandId): id is LocalCommandId => definitionOf(id).scope === scope;
  return chordsOf(press).flatMap(commandsOf).find(isOfIt);
}

import { bindings } from "./bindings";
import { type CommandId, definitionOf } from "./catalogue";
import type { localCommands } from "./catalogue/local";
import { chordsOf, type KeyPress } from "./chord";
import type { LocalScope } from "./command";

/** What a list does by its own keys. */
export type LocalId = keyof typeof localCommands;

/** What a press means in a list that has the focus, as its keys are bound now; nothing when it means nothing there. */
export function localCommand(scope: LocalScope, press: KeyPress): LocalId | undefined {
  const { commandsOf } = bindings();
  const isOfIt = (id: CommandId): id is LocalId => definitionOf(id).scope === scope;
  return chordsOf(press).flatMap(commandsOf).find(isOfIt);
}

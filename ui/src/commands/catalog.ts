import { appCommands } from "./catalog/app";
import { arrangeCommands } from "./catalog/arrange";
import { blueprintCommands } from "./catalog/blueprint";
import { editCommands } from "./catalog/edit";
import { groupCommands } from "./catalog/group";
import { localCommands } from "./catalog/local";
import { nodeCommands } from "./catalog/node";
import { runCommands } from "./catalog/run";
import { selectCommands } from "./catalog/select";
import { viewCommands } from "./catalog/view";
import type { CommandDefinition } from "./command";

/**
 * Every command of the app by its id. Menus, tooltips, the palette, the list of keys and the keys themselves read it.
 *
 * A command is added in two places that the compiler holds together: its line in a file of `catalog/`, and its act in
 * the file of the same name in `blueprint/commands/` (or `app/commands/` for `appCommands`; lists carry out their own). Ids are stored with the keys
 * that people bind, so an id that was released keeps its meaning.
 */
export const catalog = {
  ...appCommands,
  ...blueprintCommands,
  ...editCommands,
  ...selectCommands,
  ...viewCommands,
  ...runCommands,
  ...nodeCommands,
  ...groupCommands,
  ...arrangeCommands,
  ...localCommands,
};

export type CommandId = keyof typeof catalog;

export const commandIds = Object.keys(catalog) as CommandId[];

export function definitionOf(id: CommandId): CommandDefinition {
  return catalog[id];
}

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(catalog, id);
}

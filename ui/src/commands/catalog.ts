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
 * All commands of the app by id, used by menus, tooltips, the palette, the shortcuts dialog and the
 * key handler.
 * A command has two parts, and the compiler checks that both exist: its definition in a file of
 * `catalog/`, and its handler in the file of the same name in `blueprint/commands/` (or
 * `app/commands/` for `appCommands`; lists handle their own commands). Ids are stored with custom
 * shortcuts, so a released id must keep its meaning.
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

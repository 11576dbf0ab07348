import { appCommands } from "./catalogue/app";
import { arrangeCommands } from "./catalogue/arrange";
import { blueprintCommands } from "./catalogue/blueprint";
import { editCommands } from "./catalogue/edit";
import { groupCommands } from "./catalogue/group";
import { localCommands } from "./catalogue/local";
import { nodeCommands } from "./catalogue/node";
import { runCommands } from "./catalogue/run";
import { selectCommands } from "./catalogue/select";
import { viewCommands } from "./catalogue/view";
import type { Definition } from "./command";

/**
 * Every command of the app by its id. Menus, tooltips, the palette, the list of keys and the keys themselves read it.
 *
 * A command is added in two places that the compiler holds together: its line in a file of `catalogue/`, and its act in
 * the file of the same name in `blueprint/commands/` (or `app/commands/` for `appCommands`; lists carry out their own). Ids are stored with the keys
 * that people bind, so an id that was released keeps its meaning.
 */
export const catalogue = {
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

export type CommandId = keyof typeof catalogue;

export const commandIds = Object.keys(catalogue) as CommandId[];

export function definitionOf(id: CommandId): Definition {
  return catalogue[id];
}

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(catalogue, id);
}

import type { CommandHandlers } from "@/commands/commandRegistry";
import type { Blueprint } from "@/plan/blueprintContext";
import { arrangeHandlers } from "./commands/arrange";
import { blueprintCommandHandlers } from "./commands/blueprint";
import type { CommandContext } from "./commands/commandContext";
import { editHandlers } from "./commands/edit";
import { groupHandlers } from "./commands/group";
import { nodeHandlers } from "./commands/node";
import { runHandlers } from "./commands/run";
import { selectHandlers } from "./commands/select";
import { viewHandlers } from "./commands/view";

/** Returns the handlers of all commands on an open blueprint. */
export function blueprintHandlers(blueprint: Blueprint, context: CommandContext): CommandHandlers {
  return {
    ...blueprintCommandHandlers(blueprint, context),
    ...editHandlers(blueprint),
    ...selectHandlers(blueprint),
    ...viewHandlers(blueprint),
    ...runHandlers(blueprint, context),
    ...nodeHandlers(blueprint, context),

    ...groupHandlers(blueprint),
    ...arrangeHandlers(blueprint),
  };
}

import type { Offer } from "@/commands/offers";
import type { Blueprint } from "@/plan/blueprintContext";
import { arrangeActs } from "./commands/arrange";
import { blueprintActs } from "./commands/blueprint";
import { editActs } from "./commands/edit";
import { groupActs } from "./commands/group";
import { nodeActs } from "./commands/node";
import { runActs } from "./commands/run";
import { selectActs } from "./commands/select";
import type { Surroundings } from "./commands/surroundings";
import { viewActs } from "./commands/view";

/** Everything that can be done while a blueprint is open. */
export function commandsOf(blueprint: Blueprint, surroundings: Surroundings): Offer {
  return {
    ...blueprintActs(blueprint, surroundings),
    ...editActs(blueprint),
    ...selectActs(blueprint),
    ...viewActs(blueprint),
    ...runActs(blueprint, surroundings),
    ...nodeActs(blueprint),

    ...groupActs(blueprint),
    ...arrangeActs(blueprint),
  };
}

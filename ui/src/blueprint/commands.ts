import type { Offer } from "@/commands/offers";
import type { Blueprint } from "./blueprintContext";
import { blueprintActs } from "./commands/blueprint";
import { editActs } from "./commands/edit";
import { runActs } from "./commands/run";
import { selectActs } from "./commands/select";
import { viewActs } from "./commands/view";

/** Everything that can be done while a blueprint is open. */
export function commandsOf(blueprint: Blueprint): Offer {
  return {
    ...blueprintActs(blueprint),
    ...editActs(blueprint),
    ...selectActs(blueprint),
    ...viewActs(blueprint),
    ...runActs(blueprint),
  };
}

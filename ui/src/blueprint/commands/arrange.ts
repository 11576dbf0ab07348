import type { arrangeCommands } from "@/commands/catalog/arrange";
import type { CommandHandler, HandlersFor } from "@/commands/command";
import type { Alignment, DistributionAxis } from "@/plan/align";
import type { Blueprint } from "@/plan/blueprintContext";
import { tooFewSelected } from "./refusals";

/** Handlers that align and distribute nodes. */
export function arrangeHandlers(blueprint: Blueprint): HandlersFor<typeof arrangeCommands> {
  const { edit } = blueprint;
  const align = (alignment: Alignment): CommandHandler => ({
    refusal: () => tooFewSelected(2, blueprint),
    run: () => edit.align(alignment),
  });
  const distribute = (spread: DistributionAxis): CommandHandler => ({
    refusal: () => tooFewSelected(3, blueprint),
    run: () => edit.distribute(spread),
  });
  return {
    align_left: align("left"),
    align_center: align("center"),
    align_right: align("right"),
    align_top: align("top"),
    align_middle: align("middle"),
    align_bottom: align("bottom"),
    distribute_across: distribute("across"),
    distribute_down: distribute("down"),
  };
}

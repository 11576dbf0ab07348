import type { arrangeCommands } from "@/commands/catalogue/arrange";
import type { ActsFor, CommandAct } from "@/commands/command";
import type { Alignment, Spread } from "@/plan/align";
import type { Blueprint } from "@/plan/blueprintContext";
import { fewerThan } from "./refusals";

/** Lines nodes up and spreads them out. */
export function arrangeActs(blueprint: Blueprint): ActsFor<typeof arrangeCommands> {
  const { edit } = blueprint;
  const align = (alignment: Alignment): CommandAct => ({
    refusal: () => fewerThan(2, blueprint),
    run: () => edit.align(alignment),
  });
  const distribute = (spread: Spread): CommandAct => ({
    refusal: () => fewerThan(3, blueprint),
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

import { useMemo } from "react";
import { arrangeCommands } from "@/commands/catalogue/arrange";
import { editCommands } from "@/commands/catalogue/edit";
import { groupCommands } from "@/commands/catalogue/group";
import { nodeCommands } from "@/commands/catalogue/node";
import { runCommands } from "@/commands/catalogue/run";
import type { Offer } from "@/commands/offers";
import { useOffer } from "@/commands/offers";
import { type Blueprint, useBlueprint } from "@/plan/blueprintContext";
import { pastRefusal } from "@/run/pastRun";
import { leavePast } from "./useLeavePast";

/** While the past is looked at, nothing changes the plan or its run, and Escape leads back to now. */
export function usePastOffer(): void {
  const blueprint = useBlueprint();
  useOffer(useMemo(() => pastOffer(blueprint), [blueprint]));
}

/** What can still be done although it stands among the edits: it changes how the plan is looked at, if anything. */
const harmless: readonly string[] = ["copy", "show_run", "open_timeline", "collapse", "expand"];

function pastOffer(blueprint: Blueprint): Offer {
  const refused = { refusal: () => pastRefusal, run: () => undefined };
  const ids = [arrangeCommands, editCommands, groupCommands, nodeCommands, runCommands].flatMap(
    (part) => Object.keys(part),
  );
  const refusals = ids.filter((id) => !harmless.includes(id)).map((id) => [id, refused]);
  return {
    ...(Object.fromEntries(refusals) as Offer),
    select_none: { words: () => "Back to now", run: () => leavePast(blueprint) },
  };
}

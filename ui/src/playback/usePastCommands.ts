import { useMemo } from "react";
import { arrangeCommands } from "@/commands/catalog/arrange";
import { editCommands } from "@/commands/catalog/edit";
import { groupCommands } from "@/commands/catalog/group";
import { nodeCommands } from "@/commands/catalog/node";
import { runCommands } from "@/commands/catalog/run";
import type { CommandHandlers } from "@/commands/commandRegistry";
import { useCommands } from "@/commands/commandRegistry";
import { type Blueprint, useBlueprint } from "@/plan/blueprintContext";
import { pastMomentRefusal } from "@/run/runAtMoment";
import { exitPlayback } from "./useExitPlayback";

/**
 * During a replay, disables the commands that change the blueprint or its run, and makes Escape
 * return to now.
 */
export function usePastCommands(): void {
  const blueprint = useBlueprint();
  useCommands(useMemo(() => pastCommands(blueprint), [blueprint]));
}

/** Commands that stay enabled because they change at most the view. */
const readOnlyCommands: readonly string[] = [
  "copy",
  "show_run",
  "open_timeline",
  "open_changes",
  "open_terminal",
  "open_folder",
  "open_in_editor",
  "collapse",
  "expand",
];

function pastCommands(blueprint: Blueprint): CommandHandlers {
  const refused = { refusal: () => pastMomentRefusal, run: () => undefined };
  const ids = [arrangeCommands, editCommands, groupCommands, nodeCommands, runCommands].flatMap(
    (part) => Object.keys(part),
  );
  const refusals = ids.filter((id) => !readOnlyCommands.includes(id)).map((id) => [id, refused]);
  return {
    ...(Object.fromEntries(refusals) as CommandHandlers),
    select_none: { label: () => "Back to now", run: () => exitPlayback(blueprint) },
  };
}

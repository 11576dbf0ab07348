import { type CommandId, commandIds, definitionOf } from "./catalog";
import { type Choice, type CommandGroup, groupOrder, isLocal } from "./command";
import { commandLabel, disabledReason, handlerOf } from "./commandRegistry";
import { keyBindings } from "./keyBindings";
import { recentEntryIds } from "./recentEntries";

/** A line of the palette: a command, something that a source found, or an answer to a question. */
export type PaletteEntry = Choice & {
  /** Under which heading it stands, and what stands beside it in a search. */
  section: string;
  keys?: string | undefined;
  recent?: number | undefined;
};

/** Commands that make no sense from a list: they move by one place, or are the list itself. */
const keyOnlyCommands: ReadonlySet<CommandId> = new Set([
  "palette",
  "walk_left",
  "walk_right",
  "walk_up",
  "walk_down",
  "inspect",
]);

/** Every command as things stand, in the order of the groups. */
export function commandEntries(): PaletteEntry[] {
  const { keysOf } = keyBindings();
  return groupOrder.flatMap((group) =>
    commandIds
      .filter((id) => definitionOf(id).group === group && !keyOnlyCommands.has(id))
      .filter((id) => !isLocal(definitionOf(id).scope))
      .map((id) => commandEntry(id, group, keysOf(id)[0])),
  );
}

function commandEntry(
  id: CommandId,
  section: CommandGroup,
  keys: string | undefined,
): PaletteEntry {
  const act = handlerOf(id);
  const common = {
    id: `command:${id}`,
    label: commandLabel(id),
    // What it is called at rest finds it too: "Undo" while it says "Undo Move 3 nodes".
    keywords: [definitionOf(id).label, definitionOf(id).keywords].filter(Boolean).join(" "),
    section,
    keys,
    refusal: disabledReason(id),
  };
  if (act && "choices" in act) return { ...common, choices: act.choices };
  return { ...common, run: act && "run" in act ? act.run : () => undefined };
}

/** A line as it is at this moment: what a command refused when it was listed, it may do now, and the other way round. */
export function refreshEntry(entry: PaletteEntry): PaletteEntry {
  return commandEntries().find(({ id }) => id === entry.id) ?? entry;
}

/** What a source found, as lines. */
export function sourceEntries(title: string, choices: readonly Choice[]): PaletteEntry[] {
  return choices.map((choice) => ({ ...choice, id: `${title}:${choice.id}`, section: title }));
}

/** The entries with their places among what was chosen lately. */
export function withRecent(entries: readonly PaletteEntry[]): PaletteEntry[] {
  const lately = new Map(recentEntryIds().map((id, place) => [id, place]));
  return entries.map((entry) =>
    lately.has(entry.id) ? { ...entry, recent: lately.get(entry.id) } : entry,
  );
}

import { type CommandId, commandIds, definitionOf } from "./catalog";
import { type Choice, type CommandGroup, groupOrder, isLocal } from "./command";
import { commandLabel, disabledReason, handlerOf } from "./commandRegistry";
import { keyBindings } from "./keyBindings";
import { recentEntryIds } from "./recentEntries";

/** A row of the palette: a command, a result of a source, or an option. */
export type PaletteEntry = Choice & {
  /** The heading of its section, which search results show next to the row. */
  section: string;
  keys?: string | undefined;
  recent?: number | undefined;
};

/**
 * Commands that make no sense in the palette: they move by one step, or open the palette itself.
 */
const keyOnlyCommands: ReadonlySet<CommandId> = new Set([
  "palette",
  "walk_left",
  "walk_right",
  "walk_up",
  "walk_down",
  "inspect",
]);

/** All commands in their current state, in the order of the groups. */
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
    // The static label is searched too: "Undo" also finds the entry while its label is "Undo Move 3
    // nodes".
    keywords: [definitionOf(id).label, definitionOf(id).keywords].filter(Boolean).join(" "),
    section,
    keys,
    refusal: disabledReason(id),
  };
  if (act && "choices" in act) return { ...common, choices: act.choices };
  return { ...common, run: act && "run" in act ? act.run : () => undefined };
}

/**
 * The current state of a row: a command may have become available or unavailable since it was
 * listed.
 */
export function refreshEntry(entry: PaletteEntry): PaletteEntry {
  return commandEntries().find(({ id }) => id === entry.id) ?? entry;
}

/** Converts the results of a source to palette rows. */
export function sourceEntries(title: string, choices: readonly Choice[]): PaletteEntry[] {
  return choices.map((choice) => ({ ...choice, id: `${title}:${choice.id}`, section: title }));
}

/** Adds each entry's rank among the recently chosen ones. */
export function withRecent(entries: readonly PaletteEntry[]): PaletteEntry[] {
  const lately = new Map(recentEntryIds().map((id, place) => [id, place]));
  return entries.map((entry) =>
    lately.has(entry.id) ? { ...entry, recent: lately.get(entry.id) } : entry,
  );
}

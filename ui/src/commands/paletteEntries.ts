import { type CommandId, commandIds, definitionOf } from "./catalog";
import { type Choice, type CommandGroup, groupOrder, isLocal } from "./command";
import { commandLabel, disabledReason, handlerOf } from "./commandRegistry";
import { keyBindings } from "./keyBindings";
import type { PaletteSource } from "./paletteSources";
import { isShownPage, recentEntryIds } from "./recentEntries";

/** A row of the palette: a command, a result of a source, or an option. */
export type PaletteEntry = Choice & {
  /** The heading of its section, which search results show next to the row. */
  section: string;
  keys?: string | undefined;
  recent?: number | undefined;
  /**
   * Known only after its list was loaded. It isn't among the recent entries: rows must not move
   * while somebody chooses one.
   */
  isLate?: boolean | undefined;
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

/**
 * The palette rows of a source: its results, or the recent ones until they are loaded. Unless the
 * results are complete, recent ones are listed even if they are not among the results.
 */
export function sourceEntries(
  { title, recent, isComplete = false }: PaletteSource,
  choices: readonly Choice[] | undefined,
): PaletteEntry[] {
  const known = recent?.() ?? [];
  const listed = new Set(choices?.map(({ id }) => id));
  const isEarly = new Set(known.map(({ id }) => id));
  const missing = choices && isComplete ? [] : known.filter(({ id }) => !listed.has(id));
  return [...(choices ?? []), ...missing].map((choice) => ({
    ...choice,
    id: `${title}:${choice.id}`,
    section: title,
    isLate: !isEarly.has(choice.id),
  }));
}

/** Adds each entry's rank among the recently chosen ones. */
export function withRecent(entries: readonly PaletteEntry[]): PaletteEntry[] {
  const ids = recentEntryIds().filter((id) => !isShownPage(id));
  const lately = new Map(ids.map((id, place) => [id, place]));
  return entries.map((entry) =>
    lately.has(entry.id) ? { ...entry, recent: lately.get(entry.id) } : entry,
  );
}

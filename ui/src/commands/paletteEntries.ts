import { bindings } from "./bindings";
import { type CommandId, commandIds, definitionOf } from "./catalogue";
import { type Choice, type CommandGroup, groupOrder, isLocal } from "./command";
import { actOf, refusalOf, wordsOf } from "./offers";
import { recentIds } from "./recent";

/** A line of the palette: a command, something that a source found, or an answer to a question. */
export type Entry = Choice & {
  /** Under which heading it stands, and what stands beside it in a search. */
  section: string;
  keys?: string | undefined;
  recent?: number | undefined;
};

/** Commands that make no sense from a list: they move by one place, or are the list itself. */
const byKeyOnly: ReadonlySet<CommandId> = new Set([
  "palette",
  "walk_left",
  "walk_right",
  "walk_up",
  "walk_down",
  "inspect",
]);

/** Every command as things stand, in the order of the groups. */
export function commandEntries(): Entry[] {
  const { keysOf } = bindings();
  return groupOrder.flatMap((group) =>
    commandIds
      .filter((id) => definitionOf(id).group === group && !byKeyOnly.has(id))
      .filter((id) => !isLocal(definitionOf(id).scope))
      .map((id) => commandEntry(id, group, keysOf(id)[0])),
  );
}

function commandEntry(id: CommandId, section: CommandGroup, keys: string | undefined): Entry {
  const act = actOf(id);
  const common = {
    id: `command:${id}`,
    words: wordsOf(id),
    // What it is called at rest finds it too: "Undo" while it says "Undo Move 3 nodes".
    also: [definitionOf(id).words, definitionOf(id).also].filter(Boolean).join(" "),
    section,
    keys,
    refusal: refusalOf(id),
  };
  if (act && "choices" in act) return { ...common, choices: act.choices };
  return { ...common, run: act && "run" in act ? act.run : () => undefined };
}

/** A line as it is at this moment: what a command refused when it was listed, it may do now, and the other way round. */
export function asItStands(entry: Entry): Entry {
  return commandEntries().find(({ id }) => id === entry.id) ?? entry;
}

/** What a source found, as lines. */
export function sourceEntries(title: string, choices: readonly Choice[]): Entry[] {
  return choices.map((choice) => ({ ...choice, id: `${title}:${choice.id}`, section: title }));
}

/** The entries with their places among what was chosen lately. */
export function withRecent(entries: readonly Entry[]): Entry[] {
  const lately = new Map(recentIds().map((id, place) => [id, place]));
  return entries.map((entry) =>
    lately.has(entry.id) ? { ...entry, recent: lately.get(entry.id) } : entry,
  );
}

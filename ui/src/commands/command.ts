import type { ReactNode } from "react";

/** Under which heading a command stands in lists. The order of `groupOrder` is the order of the headings. */
export type CommandGroup =
  | "Go to"
  | "App"
  | "Blueprint"
  | "Edit"
  | "Select"
  | "Arrange"
  | "View"
  | "Run"
  | "Node"
  | "List of blueprints"
  | "List of sessions"
  | "Timeline"
  | "Version comparison"
  | "Inbox";

export const groupOrder: readonly CommandGroup[] = [
  "Edit",
  "Select",
  "Arrange",
  "View",
  "Run",
  "Node",
  "Blueprint",
  "App",
  "Go to",
  "List of blueprints",
  "List of sessions",
  "Timeline",
  "Version comparison",
  "Inbox",
];

/**
 * Where the keys of a command count: `everywhere` on every page; `blueprint` on the page of a blueprint; `nodes` there
 * too, but only where no control wants the key for itself; the others in one list while it has the focus. Never where
 * somebody writes, and never in dialogs and menus.
 */
export type CommandScope = "everywhere" | "blueprint" | "nodes" | LocalScope;

/** The lists, and the page of two versions, that have keys of their own. */
export type LocalScope = "plans" | "sessions" | "timeline" | "versions" | "inbox";

export function isLocal(scope: CommandScope): scope is LocalScope {
  return scope !== "everywhere" && scope !== "blueprint" && scope !== "nodes";
}

/** Whether one key would mean two things somewhere: a list that has the focus goes before the blueprint around it. */
export function scopesOverlap(one: CommandScope, other: CommandScope): boolean {
  if (one === other || one === "everywhere" || other === "everywhere") return true;
  return !isLocal(one) && !isLocal(other);
}

/** What is known of a command wherever one stands: nothing here does anything. */
export interface CommandDefinition {
  /** Verb first, sentence case: "Delete the selection". */
  label: string;
  group: CommandGroup;
  scope: CommandScope;
  /** As `Kbd` shows them, `Mod+Shift+Z`; the first is the one that menus name. Empty: by palette and menus only. */
  keys: readonly string[];
  /** Words that people search it by and that do not stand in `label`. */
  keywords?: string;
  /** Acts again for as long as its key is held. */
  repeatsWhileHeld?: true;
  /** Its keys count in fields too. For what writes nothing and is the way out, such as the palette. */
  worksInFields?: true;
  /** The system brings it about by itself, such as copy: its keys are shown, and cannot be bound anew. */
  handledBySystem?: true;
}

/** What a command does where it is offered, as things stand when it is asked. */
export type CommandHandler = {
  /** Says more than the definition at this moment: "Undo Delete 3 nodes". */
  label?: () => string;
  /** Why it does not apply now, as a sentence without a full stop; nothing when it does. */
  refusal?: () => string | undefined;
} & ({ run: () => unknown } | { choices: () => Choices });

/** Answers to choose from. A list that has to be read first may come later. */
export type Choices = readonly Choice[] | Promise<readonly Choice[]>;

/** One answer to the question that a command asks before it acts, such as which run to show. It may ask another one. */
export type Choice = {
  /** Tells it from the others of its list. */
  id: string;
  label: string;
  /** Fainter, beside it. */
  detail?: string | undefined;
  /** Words that people search it by and that do not stand in `label`. */
  keywords?: string | undefined;
  icon?: ReactNode;
  /** Why it cannot be chosen now. */
  refusal?: string | undefined;
} & ({ run: () => unknown } | { choices: () => Choices });

/** The acts for a part of the catalog: leaving one out does not compile. */
export type HandlersFor<Part> = { [Id in keyof Part]: CommandHandler };

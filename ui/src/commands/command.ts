import type { ReactNode } from "react";

/** The heading of a command in lists. `groupOrder` is the order of the headings. */
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
  | "Blueprint list"
  | "Run list"
  | "Session list"
  | "Timeline"
  | "Changes"
  | "Version comparison"
  | "Inbox"
  | "Question";

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
  "Blueprint list",
  "Run list",
  "Session list",
  "Timeline",
  "Changes",
  "Version comparison",
  "Inbox",
  "Question",
];

/**
 * Where the shortcuts of a command work: `everywhere` on every page; `blueprint` on the page of a
 * blueprint; `nodes` there too, unless the focused control handles the key; the others in one list
 * while it has the focus. Shortcuts don't work in text fields, dialogs and menus.
 */
export type CommandScope = "everywhere" | "blueprint" | "nodes" | LocalScope;

/** The lists, the lines of a diff, the page that compares versions, and questions, with their own shortcuts. */
export type LocalScope =
  | "plans"
  | "runs"
  | "sessions"
  | "timeline"
  | "changes"
  | "versions"
  | "inbox"
  | "question";

export function isLocal(scope: CommandScope): scope is LocalScope {
  return scope !== "everywhere" && scope !== "blueprint" && scope !== "nodes";
}

/**
 * Reports whether the same key in both scopes would be ambiguous. A focused list takes precedence
 * over the blueprint around it.
 */
export function scopesOverlap(one: CommandScope, other: CommandScope): boolean {
  if (one === other || one === "everywhere" || other === "everywhere") return true;
  return !isLocal(one) && !isLocal(other);
}

/** The static description of a command, available everywhere. */
export interface CommandDefinition {
  /** Verb first, in sentence case: "Delete selection". */
  label: string;
  group: CommandGroup;
  scope: CommandScope;
  /**
   * In the notation of `Kbd`, such as `Mod+Shift+Z`, or `G R` for two keys pressed one after the
   * other; menus show the first one. Empty for commands without a shortcut.
   */
  keys: readonly string[];
  /** Further search terms that are not in `label`. */
  keywords?: string;
  /** Runs repeatedly while its key is held. */
  repeatsWhileHeld?: true;
  /**
   * Its shortcuts also work in text fields. Only for keys that type nothing, such as the palette's.
   */
  worksInFields?: true;
  /**
   * Handled by the system, such as copy, or shown on the control itself, such as the number of an
   * answer: its shortcuts are listed but can't be changed.
   */
  handledBySystem?: true;
}

/** What a command does, and its current state. */
export type CommandHandler = {
  /** A more specific label than the definition's: "Undo Delete 3 nodes". */
  label?: () => string;
  /** Why the command is disabled, without a full stop; undefined when it is enabled. */
  refusal?: () => string | undefined;
} & ({ run: () => unknown } | { choices: () => Choices });

/** The options to choose from. May be loaded asynchronously. */
export type Choices = readonly Choice[] | Promise<readonly Choice[]>;

/**
 * One option that a command offers before it runs, such as which run to show. It may lead to
 * further options.
 */
export type Choice = {
  /** Unique within its list. */
  id: string;
  label: string;
  /** Shown in a fainter color next to the label. */
  detail?: string | undefined;
  /** Further search terms that are not in `label`. */
  keywords?: string | undefined;
  icon?: ReactNode;
  /** Why it can't be chosen; undefined when it can. */
  refusal?: string | undefined;
} & ({ run: () => unknown } | { choices: () => Choices });

/** The handlers for a part of the catalog. A missing handler is a type error. */
export type HandlersFor<Part> = { [Id in keyof Part]: CommandHandler };

import { flushSync } from "react-dom";
import { chordsOf, type KeyPress } from "@/commands/chord";

/** The highest number that one key types. Later answers have none. */
const lastNumber = 9;

export interface NumberedAnswer {
  /** Its place among the answers of the question, from 0. */
  at: number;
  /**
   * The answer starts work or can't be undone: its keys only move the focus to it, and Enter
   * confirms.
   */
  commits?: boolean;
  /** A further shortcut of the answer. */
  keys?: string;
}

/** The attributes of the control of an answer that a number key chooses. */
export function numberedAnswer({ at, commits = false, keys = "" }: NumberedAnswer) {
  const number = at < lastNumber ? String(at + 1) : undefined;
  const shortcuts = [keys, number].filter(Boolean).join(" ");
  return {
    "data-number": number,
    "data-commits": commits || undefined,
    "aria-keyshortcuts": shortcuts === "" ? undefined : shortcuts,
  };
}

/**
 * Shows the number of an answer before its label. Not part of its name: screen readers announce
 * the shortcut.
 */
export const numberMark =
  "before:inline-flex before:h-4 before:min-w-4 before:shrink-0 before:items-center before:justify-center before:rounded-small before:border before:border-current/40 before:font-normal before:text-11 before:leading-none before:content-[attr(data-number)_/_''] not-data-number:before:hidden";

/**
 * Chooses the answer whose number was pressed in the question, and returns whether there is one.
 * Keys typed into a field are text.
 */
export function chooseByNumber(press: NumberPress, question: HTMLElement): boolean {
  const { target, repeat } = press;
  const number = chordsOf(press).find((chord) => /^[1-9]$/.test(chord));
  if (number === undefined || repeat || isText(target)) return false;
  const control = question.querySelector<HTMLElement>(
    `:is(button, input)[data-number="${number}"]`,
  );
  if (control === null) return false;
  if (control.dataset.commits !== undefined) control.focus();
  else if (control instanceof HTMLInputElement) {
    // The form sends the option that is checked, so the choice must be rendered first.
    flushSync(() => control.click());
    control.form?.requestSubmit();
  } else control.click();
  return true;
}

type NumberPress = KeyPress & { target: EventTarget | null; repeat: boolean };

function isText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("textarea, select, [contenteditable=true], input:not([type=radio])")
  );
}

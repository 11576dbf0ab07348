import { isolateQuotedTitles } from "./quotedTitle";

/**
 * Turns a fragment from the backend into a sentence: "ended with exit code 1" becomes "Ended with
 * exit code 1."
 */
export function toSentence(fragment: string): string {
  const text = isolateQuotedTitles(fragment.charAt(0).toUpperCase() + fragment.slice(1));
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

import { useState } from "react";
import { readDraft, removeDraft, writeDraft } from "./drafts";

/**
 * A text that a person types and that outlives a reload of the page. `name` identifies what it is
 * about, and `stored` is what the text replaces. Call `discard`, or `removeDraft` with the name,
 * when the text was sent, and when a person cancels. Escape and leaving the page keep it.
 */
export function useTextDraft(
  name: string,
  stored = "",
): [text: string, setText: (text: string) => void, discard: () => void] {
  const [draft, setDraft] = useState(() => readTextDraft(name));
  const discard = () => {
    setDraft(undefined);
    removeDraft(name);
  };
  const change = (next: string) => {
    if (next === stored) return discard();
    setDraft(next);
    writeDraft(name, next);
  };
  return [draft ?? stored, change, discard];
}

/** The kept text; undefined if there is none. */
export function readTextDraft(name: string): string | undefined {
  const kept = readDraft(name)?.value;
  return typeof kept === "string" ? kept : undefined;
}

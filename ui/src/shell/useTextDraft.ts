import { useState } from "react";
import { readDraft, removeDraft, writeDraft } from "./drafts";

/**
 * A text that a person types and that outlives a reload of the page. `name` identifies what it is
 * about: call `removeDraft` with it when the text was sent.
 */
export function useTextDraft(name: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => {
    const kept = readDraft(name)?.value;
    return typeof kept === "string" ? kept : "";
  });
  const change = (next: string) => {
    setText(next);
    if (next === "") removeDraft(name);
    else writeDraft(name, next);
  };
  return [text, change];
}

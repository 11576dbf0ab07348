import { useState } from "react";
import { readDraft, removeDraft, writeDraft } from "./drafts";

/** A kept text, and the stored one that it was typed over. */
export interface TextDraft {
  text: string;
  base: string;
}

/**
 * A text that a person types and that outlives a reload of the page. `name` identifies what it is
 * about, and `stored` is what the text replaces. Call `discard`, or `removeDraft` with the name,
 * when the text was sent, and when a person cancels. Escape and leaving the page keep it.
 * `isOverOther` says that another text than `stored` was stored when it was typed.
 */
export function useTextDraft(
  name: string,
  stored = "",
): [text: string, setText: (text: string) => void, discard: () => void, isOverOther: boolean] {
  const [draft, setDraft] = useState(() => readTextDraft(name));
  const discard = () => {
    setDraft(undefined);
    removeDraft(name);
  };
  const change = (next: string) => {
    if (next === stored) return discard();
    const changed = { text: next, base: draft?.base ?? stored };
    setDraft(changed);
    writeTextDraft(name, changed);
  };
  const isOverOther = draft !== undefined && draft.base !== stored && draft.text !== stored;
  return [draft?.text ?? stored, change, discard, isOverOther];
}

/** The kept text; undefined if there is none. A text alone was typed over nothing. */
export function readTextDraft(name: string): TextDraft | undefined {
  const kept = readDraft(name)?.value;
  if (typeof kept === "string") return { text: kept, base: "" };
  if (typeof kept !== "object" || kept === null) return undefined;
  const { text, base } = kept as Partial<Record<keyof TextDraft, unknown>>;
  return typeof text === "string" && typeof base === "string" ? { text, base } : undefined;
}

export function writeTextDraft(name: string, { text, base }: TextDraft): void {
  writeDraft(name, base === "" ? text : { text, base });
}

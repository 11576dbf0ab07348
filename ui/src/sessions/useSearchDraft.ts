import { useEffect, useEffectEvent, useRef, useState } from "react";

/** Milliseconds without a letter until what was written is looked for. */
const debounceMs = 120;

/**
 * What stands in a search field whose text belongs to an address. The address follows a moment behind the keys, so the
 * field cannot wait for it; but when somebody else changes the address, the field follows.
 */
export function useSearchDraft(text: string, onText: (text: string) => void) {
  const [draft, setDraft] = useState(text);
  const sent = useRef(new Set<string>());

  const send = useEffectEvent(() => {
    if (draft === text) return;
    sent.current.add(draft);
    onText(draft);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every letter begins the rest anew
  useEffect(() => {
    const timer = setTimeout(send, debounceMs);
    return () => clearTimeout(timer);
  }, [draft]);

  useEffect(() => {
    if (!sent.current.delete(text)) setDraft(text);
  }, [text]);

  return { draft, write: setDraft };
}

import { useEffect, useEffectEvent, useRef, useState } from "react";

/** Milliseconds without typing before the search starts. */
const debounceMs = 120;

/**
 * The text of a search field that is stored in the URL. The URL lags behind typing, so the field
 * keeps its own draft. When the URL changes for another reason, such as going back, the field
 * follows.
 */
export function useSearchDraft(text: string, onText: (text: string) => void) {
  const [draft, setDraft] = useState(text);
  const sent = useRef(new Set<string>());

  const send = useEffectEvent(() => {
    if (draft === text) return;
    sent.current.add(draft);
    onText(draft);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing restarts the timer
  useEffect(() => {
    const timer = setTimeout(send, debounceMs);
    return () => clearTimeout(timer);
  }, [draft]);

  useEffect(() => {
    if (!sent.current.delete(text)) setDraft(text);
  }, [text]);

  return { draft, write: setDraft };
}

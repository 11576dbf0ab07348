import { useEffect, useState } from "react";
import type { CodeGrammar } from "./codeGrammar";
import type { CodeSpan } from "./codeHighlighter";

/** More code than this stays plain, because parsing it would block the window. */
const maxHighlightedCharacters = 200_000;

interface Highlighted {
  key: string;
  lines: CodeSpan[][][];
}

/**
 * Returns the colored parts of each line of each text. `undefined` while the grammar loads, and for
 * code that stays plain: it is too long, its language is unknown, or its grammar couldn't be loaded.
 */
export function useHighlightedCode(
  grammar: CodeGrammar | undefined,
  texts: readonly string[],
): CodeSpan[][][] | undefined {
  const [highlighted, setHighlighted] = useState<Highlighted>();
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const isHighlighted = grammar !== undefined && length > 0 && length <= maxHighlightedCharacters;
  const key = isHighlighted ? JSON.stringify([grammar, ...texts]) : "";

  useEffect(() => {
    if (key === "") return;
    let isShown = true;
    const [name, ...code]: string[] = JSON.parse(key);
    void import("./codeHighlighter")
      .then(({ highlightTexts }) => highlightTexts(name as CodeGrammar, code))
      .then((lines) => isShown && setHighlighted({ key, lines }))
      .catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [key]);

  return highlighted?.key === key ? highlighted.lines : undefined;
}

import { type FocusEvent, type KeyboardEvent, useState } from "react";

export interface RowCursor {
  /** The line where the cursor stands, or -1 before anybody has used it. */
  at: number;
  put: (line: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** The list gets the focus: it then always has a cursor. */
  onFocus: (event: FocusEvent) => void;
}

/** Acts by the key that means them, in lower case or as the keyboard names it. */
export type RowActs = Record<string, (line: number) => void>;

/** One line of a list of any length, moved by keys, of which some act on it. */
export function useRowCursor(
  length: number,
  page: number,
  first: number,
  acts: RowActs,
): RowCursor {
  const [line, setLine] = useState(first);
  const at = Math.min(line, length - 1);
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: length - 1,
  };

  return {
    at,
    put: setLine,
    onFocus(event) {
      if (at < 0 && event.target === event.currentTarget) setLine(0);
    },
    onKeyDown(event) {
      // A control inside the list has its own keys.
      if (event.target !== event.currentTarget || at < 0) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const target = moves[key];
      const act = acts[key];
      if (target !== undefined) setLine(Math.max(0, Math.min(length - 1, target)));
      else if (act && !event.repeat) act(at);
      else return;
      event.preventDefault();
    },
  };
}

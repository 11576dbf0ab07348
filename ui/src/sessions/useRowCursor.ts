import { type FocusEvent, type KeyboardEvent, useState } from "react";
import { type LocalCommandId, localCommandFor } from "@/commands/localCommands";

export interface RowCursor {
  /** The line of the cursor, or -1 before it was used. */
  at: number;
  moveTo: (line: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Sets the cursor when the list gets the focus without having one. */
  onFocus: (event: FocusEvent) => void;
}

/** Actions on the current row, by command. */
export type RowActions = Partial<Record<LocalCommandId, (line: number) => void>>;

/** The cursor of a list of any length. Keys move it or run an action on its row. */
export function useRowCursor(
  length: number,
  page: number,
  first: number,
  acts: RowActions,
): RowCursor {
  const [line, setLine] = useState(first);
  const at = Math.min(line, length - 1);
  const steps: Partial<Record<LocalCommandId, number>> = {
    sessions_next: at + 1,
    sessions_previous: at - 1,
  };
  const moves: Record<string, number> = {
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: length - 1,
  };

  return {
    at,
    moveTo: setLine,
    onFocus(event) {
      if (at < 0 && event.target === event.currentTarget) setLine(0);
    },
    onKeyDown(event) {
      // Controls inside the list handle their own keys.
      if (event.target !== event.currentTarget || at < 0) return;
      const id = localCommandFor("sessions", event);
      const held = event.ctrlKey || event.metaKey || event.altKey;
      const target = id ? steps[id] : held ? undefined : moves[event.key];
      const act = id && acts[id];
      if (target !== undefined) setLine(Math.max(0, Math.min(length - 1, target)));
      else if (act && !event.repeat) act(at);
      else return;
      event.preventDefault();
    },
  };
}

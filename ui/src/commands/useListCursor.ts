import { type FocusEvent, type KeyboardEvent, useState } from "react";
import type { LocalScope } from "./command";
import { type LocalCommandId, localCommandFor } from "./localCommands";

export interface ListCursor {
  /** The cursor's index, or -1 before it is first used. */
  at: number;
  moveTo: (id: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** Puts the cursor on the first item if the list has none yet. */
  onFocus: (event: FocusEvent) => void;
}

export interface ListCursorOptions {
  ids: readonly string[];
  /** How many items are side by side; 1 by default. */
  columns?: number;
  /** How many lines Page Up and Page Down move. */
  page: number;
  scope: LocalScope;
  /** The commands that move the cursor by one line. */
  next: LocalCommandId;
  previous: LocalCommandId;
  /** The commands that act on the cursor's item. */
  acts: Partial<Record<LocalCommandId, (at: number) => void>>;
}

/**
 * A list cursor that is moved by keys. It follows its item when the order changes. When the item is
 * gone, it keeps its index.
 */
export function useListCursor(options: ListCursorOptions): ListCursor {
  const { ids, columns = 1, page, scope, next, previous, acts } = options;
  const [mark, setMark] = useState<{ id: string; at: number }>();
  const found = mark ? ids.indexOf(mark.id) : -1;
  const at = Math.min(found >= 0 ? found : (mark?.at ?? -1), ids.length - 1);

  const steps: Partial<Record<LocalCommandId, number>> = {
    [next]: at + columns,
    [previous]: at - columns,
  };
  const moves: Record<string, number> = {
    PageDown: at + columns * page,
    PageUp: at - columns * page,
    Home: 0,
    End: ids.length - 1,
    ...(columns > 1 && { ArrowLeft: at - 1, ArrowRight: at + 1 }),
  };

  return {
    at,
    moveTo: (id) => setMark({ id, at: ids.indexOf(id) }),
    onFocus(event) {
      if (at < 0 && event.target === event.currentTarget && ids[0]) setMark({ id: ids[0], at: 0 });
    },
    onKeyDown(event) {
      // Controls inside the list handle their own keys.
      if (event.target !== event.currentTarget) return;
      if (at < 0) return;
      const id = localCommandFor(scope, event);
      const held = event.ctrlKey || event.metaKey || event.altKey;
      const target = id ? steps[id] : held ? undefined : moves[event.key];
      if (target !== undefined) {
        const line = Math.max(0, Math.min(ids.length - 1, target));
        setMark({ id: ids[line] ?? "", at: line });
      } else if (id && acts[id] && !event.repeat) acts[id](at);
      else return;
      event.preventDefault();
    },
  };
}

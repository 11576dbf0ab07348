import { useState } from "react";
import type { OutputRow } from "@/api/bindings";
import type { OutputReader } from "./OutputReader";
import type { OutputPart } from "./outputText";

/** The lines that are selected. May be larger than what is visible, or was read. */
interface LineSelection extends OutputPart {
  /** The line where the selection began; `Shift` extends from here. */
  anchor: OutputPart;
}

export interface LineSelecting {
  selection: LineSelection | undefined;
  /** Selects the line of a row, or extends the selection to it. */
  select: (row: OutputRow, extend: boolean) => void;
  selectAll: () => void;
  clear: () => void;
}

/** Selects lines by their numbers. */
export function useLineSelection(reader: OutputReader): LineSelecting {
  const [selection, setSelection] = useState<LineSelection>();

  return {
    selection,
    select(row, extend) {
      const line = { from: row.position, to: endOfLine(reader, row.position) };
      const anchor = (extend && selection?.anchor) || line;
      const from = Math.min(anchor.from, line.from);
      setSelection({ anchor, from, to: Math.max(anchor.to, line.to) });
    },
    selectAll() {
      const all = { from: 0, to: reader.state().size };
      setSelection({ anchor: all, ...all });
    },
    clear: () => setSelection(undefined),
  };
}

/** The position after the line of a row that is visible. Long lines have several rows. */
function endOfLine({ rows }: OutputReader, position: number): number {
  const place = rows.locate(position);
  if (!place) return position + 1;
  const { segment, index } = place;
  const after = segment.rows.slice(index + 1).find(({ continued }) => !continued);
  if (after) return after.position;
  // The rows after it were not read yet, or there are none.
  return rows.isAtEnd(segment) ? rows.size : (segment.rows.at(-1)?.position ?? position) + 1;
}

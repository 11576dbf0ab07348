import { useRef, useState } from "react";
import { ApiError } from "@/api/ApiError";
import { useBackend } from "@/api/backendContext";
import type { SessionId } from "@/api/bindings";
import type { OutputReader } from "./OutputReader";

/** Goes from error to error. */
export interface ErrorJump {
  go: (step: 1 | -1) => void;
  /** What came of the last step, if it was not an error row. */
  status: string;
  /** The rows of the errors that were found so far. */
  rows: readonly number[];
}

/** Finds the rows that report errors, one at a time. `current` is the row to start from. */
export function useErrorJump(
  session: SessionId,
  reader: OutputReader,
  current: number | undefined,
  onLand: (row: number) => void,
): ErrorJump {
  const backend = useBackend();
  const [status, setStatus] = useState("");
  const [rows, setRows] = useState<readonly number[]>([]);
  const latest = useRef(0);

  async function go(step: 1 | -1) {
    latest.current += 1;
    const turn = latest.current;
    setStatus("Searching…");
    try {
      const row = await findError(startOf(step), step === -1, () => turn !== latest.current);
      if (turn !== latest.current) return;
      setStatus(row === undefined ? (step === 1 ? "No more errors" : "No earlier errors") : "");
      if (row !== undefined) land(row);
    } catch (cause) {
      if (turn === latest.current) setStatus(ApiError.from(cause).message);
    }
  }

  /** The row to start from if it is visible, else the edge of what is visible. */
  function startOf(step: 1 | -1): number {
    const { visible } = reader.state();
    if (!visible) return 0;
    const isVisible = current !== undefined && current >= visible.first && current <= visible.last;
    if (!isVisible) return visible.first;
    return step === 1 ? current + 1 : current;
  }

  async function findError(from: number, backwards: boolean, isOver: () => boolean) {
    const pattern = { kind: "error" } as const;
    let position = from;
    while (!isOver()) {
      const input = { session, pattern, from: position, backwards, limit: 1 };
      const { hits, searchedTo, done } = await backend.call("output_search", input);
      if (hits[0]) return hits[0].row;
      if (done || searchedTo === position) return undefined;
      position = searchedTo;
    }
    return undefined;
  }

  function land(row: number) {
    setRows((before) => (before.includes(row) ? before : [...before, row]));
    onLand(row);
    void reader.toPosition(row, "nearest");
  }

  return { go: (step) => void go(step), status, rows };
}

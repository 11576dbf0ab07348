import type { ReactElement } from "react";
import { formatBytes } from "@/components/formatBytes";
import type { WholeEntry } from "./useWholeEntry";

interface RemainderProps {
  whole: WholeEntry;
  text: string;
  leftOut: number;
  /** How many characters of the text are shown. */
  shown: number;
}

/** Says how much of the text is still not shown, and why. */
export function Remainder({ whole, text, leftOut, shown }: RemainderProps): ReactElement | null {
  if (whole.isFetching) return <span className="text-faint">Loading the rest…</span>;
  if (whole.error) {
    return <span className="text-danger-fg">Couldn't load the rest. {whole.error.message}</span>;
  }
  const all = formatBytes(text.length + leftOut);
  if (leftOut > 0) {
    return (
      <span className="text-faint">
        Only the first {formatBytes(shown)} of {all} can be loaded.
      </span>
    );
  }
  if (shown === text.length) return null;
  return (
    <span className="text-faint">
      Showing the first {formatBytes(shown)} of {all}. Copy to get the full text.
    </span>
  );
}

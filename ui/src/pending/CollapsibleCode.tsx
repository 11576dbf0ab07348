import { type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { formatNumber } from "@/components/formatCount";
import { keyboardScrollable } from "@/components/keyboardScrollable";

const initialLines = 4;
const initialCharacters = 400;

/** Monospaced text. Shows only the beginning of a long one until expanded. */
export function CollapsibleCode({
  text,
  lines = initialLines,
  characters = initialCharacters,
}: {
  text: string;
  /** The number of lines and characters shown while collapsed. */
  lines?: number;
  characters?: number;
}): ReactElement {
  const [open, setOpen] = useState(false);
  const beginning = text.split("\n").slice(0, lines).join("\n").slice(0, characters);
  const isLong = beginning.length < text.length;
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <pre
        {...(open && keyboardScrollable)}
        className="max-h-80 w-full overflow-auto whitespace-pre-wrap break-words rounded-control border bg-surface px-2.5 py-1.5 text-12"
      >
        {isLong && !open ? `${beginning} …` : text}
      </pre>
      {isLong && (
        <Button size="small" kind="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Collapse" : `Show all ${formatNumber(text.length)} characters`}
        </Button>
      )}
    </div>
  );
}

import { type KeyboardEvent, type ReactElement, useState } from "react";
import type { OutputLineCount } from "@/api/bindings";
import { formatNumber } from "@/components/formatCount";
import { TextField } from "@/components/TextField";

export interface GoToLineFieldProps {
  count: OutputLineCount | undefined;
  onGo: (line: number) => void;
  onLeave: () => void;
}

/** Goes to a line. Works when the lines were counted. */
export function GoToLineField({ count, onGo, onLeave }: GoToLineFieldProps): ReactElement {
  const [text, setText] = useState("");
  const lines = count?.lines ?? undefined;
  const line = Number(text.replaceAll(",", ""));
  const isLine = lines !== undefined && Number.isInteger(line) && line >= 1 && line <= lines;
  const error = text !== "" && lines !== undefined && !isLine ? rangeText(lines) : undefined;

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && isLine) onGo(line);
    else if (event.key === "Escape") onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="w-40">
      <TextField
        autoFocus
        label="Go to line"
        labelHidden
        inputMode="numeric"
        placeholder={placeholder(count)}
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
        error={error}
      />
    </div>
  );
}

function rangeText(lines: number): string {
  return lines === 0 ? "There are no lines." : `Enter a line from 1 to ${formatNumber(lines)}.`;
}

function placeholder(count: OutputLineCount | undefined): string {
  if (count && count.lines !== null) return `Line 1 to ${formatNumber(count.lines)}`;
  const share = count && count.size > 0 ? Math.floor((count.counted / count.size) * 100) : 0;
  return `Counting lines (${share}%)`;
}

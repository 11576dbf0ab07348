import { Terminal } from "lucide-react";
import type { ReactElement } from "react";
import type { Stream, TimelineEntry } from "@/api/bindings";
import { EntryFrame } from "./EntryFrame";
import { LongText } from "./LongText";
import { leftOutBytesOf } from "./useWholeEntry";

/** Output of a process. Standard error has a label and a colored border. */
export function OutputEntry({
  entry,
  stream,
}: {
  entry: TimelineEntry;
  stream: Stream;
}): ReactElement {
  const isStderr = stream === "stderr";
  return (
    <EntryFrame entry={entry} icon={<Terminal />} {...(isStderr && { hue: "text-state-waiting" })}>
      {isStderr && <p className="mb-1 text-12 text-state-waiting">Standard error</p>}
      <LongText
        entry={entry}
        textOf={({ kind }) => (kind.type === "output" ? kind.text : "")}
        stylesOf={({ kind }) => (kind.type === "output" ? kind.styles : undefined)}
        leftOutOf={leftOutBytesOf}
        copyLabel="Copy output"
        lines={40}
        {...(isStderr && { className: "border-l-2 border-l-state-waiting" })}
      />
    </EntryFrame>
  );
}

import type { ReactElement } from "react";
import type { SessionId, TimelineEntry } from "@/api/bindings";
import { useOperation } from "@/api/queries";
import { toolVerb } from "@/attempt/toolCategory";
import { keyboardScrollable } from "@/components/keyboardScrollable";
import { Skeleton } from "@/components/Skeleton";

const entries = 8;
const maxCharacters = 4_000;

/** The end of a session's output, updated while it runs. */
export function SessionTail({ session }: { session: SessionId }): ReactElement {
  // Of a long session, only the end is read.
  const range = { session, from: -entries, limit: entries, since: null, ofEnd: true };
  const tail = useOperation("session_timeline", range);
  if (tail.isPending) return <Skeleton />;
  if (tail.isError) {
    return <p className="text-12 text-danger-fg">Couldn't load the output. {tail.error.message}</p>;
  }
  const text = tail.data.entries
    .map(lineOf)
    .filter(Boolean)
    .join("\n")
    .slice(-maxCharacters)
    .trim();
  return (
    <pre
      {...keyboardScrollable}
      // Stay scrolled to the end while the session runs.
      ref={(shown) => shown?.scrollTo(0, shown.scrollHeight)}
      dir="auto"
      className="max-h-48 overflow-auto whitespace-pre-wrap break-words rounded-control border bg-canvas px-2.5 py-1.5 text-12 leading-4.5"
    >
      {text || <span className="text-faint">No output</span>}
    </pre>
  );
}

function lineOf({ kind }: TimelineEntry): string {
  switch (kind.type) {
    case "output":
    case "error":
    case "note":
      return kind.text;
    case "text":
      return kind.markdown;
    case "toolCall":
      return `${toolVerb(kind.name)} ${kind.summary}`;
    case "permission":
      return `Asked: ${kind.summary}`;
    case "retry":
      return kind.reason;
    case "image":
    case "todoList":
    case "prompt":
    case "thinking":
    case "usage":
    case "unknown":
      return "";
  }
}

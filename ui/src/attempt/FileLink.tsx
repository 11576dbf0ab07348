import { type ReactElement, useState } from "react";
import type { SessionId } from "@/api/bindings";
import { FileView } from "./FileView";

/** The path of a file that a session changed. A press shows the file as it is now, read-only. */
export function FileLink({
  session,
  path,
}: {
  /** Without one, as while it loads, the path is only text. */
  session: SessionId | undefined;
  path: string;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  if (session === undefined) {
    return <span className="min-w-0 select-text break-all font-mono">{path}</span>;
  }
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="min-w-0 select-text break-all text-left font-mono hover:underline"
      >
        {path}
      </button>
      {isOpen && <FileView session={session} place={{ path }} onClose={() => setOpen(false)} />}
    </>
  );
}

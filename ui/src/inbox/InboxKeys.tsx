import type { ReactElement } from "react";
import { Kbd } from "@/components/Kbd";

const keys: [string[], string][] = [
  [["ArrowUp", "ArrowDown"], "between items"],
  [["Enter"], "show in the graph"],
  [["A"], "allow, approve or yes"],
  [["N", "P"], "for the node, the plan"],
  [["D"], "deny, refuse or no"],
  [["R"], "with a reason"],
];

/** The keys of the Inbox, at its foot. */
export function InboxKeys(): ReactElement {
  return (
    <footer className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-1 text-12 text-faint">
      {keys.map(([names, words]) => (
        <span key={words} className="flex items-center gap-1.5 whitespace-nowrap">
          {names.map((name) => (
            <Kbd key={name} keys={name} />
          ))}
          {words}
        </span>
      ))}
    </footer>
  );
}

import type { ReactElement } from "react";
import { useKeyBindings } from "@/commands/keyBindings";
import type { LocalCommandId } from "@/commands/localCommands";
import { Kbd } from "@/components/Kbd";
import { useWindowSizeMatch } from "@/components/useWindowSizeMatch";

const lines: [LocalCommandId[], string][] = [
  [["inbox_previous", "inbox_next"], "previous, next"],
  [["inbox_show"], "show in the graph"],
  [["inbox_yes"], "choose Allow or Approve"],
  [["inbox_for_node", "inbox_for_plan"], "choose Allow for this node, this blueprint"],
  [["inbox_no"], "deny or reject"],
  [["inbox_reason"], "deny with a reason"],
  [["question_answer"], "choose an answer"],
];

/** The first shortcut of a command. Of the numbers of answers, the first and the last. */
function namesOf(keys: readonly string[], id: LocalCommandId): string[] {
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return [];
  return id === "question_answer" ? [first, last] : [first];
}

/** A lower window needs the space for items. The list of shortcuts has these keys too. */
const isHigh = (_: number, height: number) => height >= 480;

/** The footer of the Inbox with its shortcuts. */
export function InboxKeys(): ReactElement | null {
  const { keysOf } = useKeyBindings();
  const isTallEnough = useWindowSizeMatch(isHigh);
  const keys = lines
    .map(([ids, words]) => [ids.flatMap((id) => namesOf(keysOf(id), id)), words] as const)
    .filter(([names]) => names.length > 0);
  if (!isTallEnough) return null;
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

import type { ReactElement } from "react";
import { Kbd } from "@/components/Kbd";
import { commandIds } from "./catalog";
import { commandLabel, handlerOf } from "./commandRegistry";
import { useKeyBindings } from "./keyBindings";
import { useKeySequence } from "./keySequence";

/** Shows which keys may follow the pressed one, until one is pressed or the time is over. */
export function SequenceHint(): ReactElement {
  const pending = useKeySequence((state) => state.pending);
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex">
      {pending !== undefined && <Hint pending={pending} />}
    </div>
  );
}

function Hint({ pending }: { pending: string }): ReactElement {
  const { keysOf } = useKeyBindings();
  const next = commandIds.flatMap((id) => {
    const keys = keysOf(id).find((each) => each.startsWith(`${pending} `));
    if (keys === undefined || !handlerOf(id)) return [];
    return [{ id, key: keys.slice(pending.length + 1), label: commandLabel(id) }];
  });
  return (
    <div className="mx-auto flex max-w-[90vw] flex-wrap items-center gap-x-3 gap-y-1 rounded-card bg-overlay px-3 py-1.5 text-12 text-muted shadow-float">
      <span className="flex items-center gap-1">
        <Kbd keys={pending} /> then
      </span>
      {next.map(({ id, key, label }) => (
        <span key={id} className="flex items-center gap-1">
          <Kbd keys={key} /> {label}
        </span>
      ))}
    </div>
  );
}

import { RotateCcw, X } from "lucide-react";
import { type ReactElement, useState } from "react";
import { type CommandId, definitionOf } from "@/commands/catalog";
import { useKeyBindings } from "@/commands/keyBindings";
import {
  bindKey,
  conflictingCommand,
  isRebound,
  resetKeys,
  unbindKey,
} from "@/commands/rebindKeys";
import { Button } from "@/components/Button";
import { IconButton } from "@/components/IconButton";
import { formatShortcut, Kbd } from "@/components/Kbd";
import { KeyRecorder } from "./KeyRecorder";

/** One command: its keys, each to be taken away, and the way to another one. */
export function KeyRow({
  id,
  handledBySystem: left,
  onTold,
}: {
  id: CommandId;
  /** Nothing can be changed at the moment. */
  handledBySystem: boolean;
  /** Told to screen readers. */
  onTold: (words: string) => void;
}): ReactElement {
  const { label, scope, handledBySystem = false } = definitionOf(id);
  const keys = useKeyBindings().keysOf(id);
  const [wanted, want] = useState<string>();
  const holder = wanted === undefined ? undefined : conflictingCommand(wanted, id);

  function take(chord: string) {
    bindKey(id, chord);
    want(undefined);
    onTold(`${label} is now ${formatShortcut(chord)}`);
  }

  return (
    <li className="group flex flex-col border-b px-3 py-1 last:border-b-0">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3">
        <span className="min-w-24 flex-1 basis-24 break-words">{label}</span>
        <span className="flex items-center gap-1.5">
          {keys.map((chord) => (
            <span key={chord} className="flex items-center">
              <Kbd keys={chord} />
              {(handledBySystem || left) && <span className="w-5" />}
              {!handledBySystem && !left && (
                <button
                  type="button"
                  aria-label={`Take ${formatShortcut(chord)} from ${label}`}
                  onClick={() => {
                    unbindKey(id, chord);
                    onTold(`${formatShortcut(chord)} does nothing now`);
                  }}
                  className="flex size-5 items-center justify-center rounded-small text-faint opacity-0 hover:bg-hover hover:text-fg focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100"
                >
                  <X className="size-3" aria-hidden="true" />
                </button>
              )}
            </span>
          ))}
          {keys.length === 0 && <span className="pr-5 text-12 text-faint">No key</span>}
        </span>
        {handledBySystem ? (
          <span className="w-36 text-right text-12 text-faint">As in every program</span>
        ) : (
          <span className="flex w-36 items-center justify-end gap-1">
            {isRebound(id, keys) && (
              <IconButton
                size="small"
                label={`Reset the keys of ${label}`}
                icon={<RotateCcw />}
                disabled={left}
                onClick={() => {
                  resetKeys(id);
                  onTold(`${label} has its first keys again`);
                }}
              />
            )}
            <KeyRecorder
              name={label}
              scope={scope}
              disabled={left}
              onRecord={(chord) => (conflictingCommand(chord, id) ? want(chord) : take(chord))}
            />
          </span>
        )}
      </div>
      {wanted !== undefined && holder && (
        <div role="alert" className="flex items-center gap-2 pb-1 text-12">
          <span className="min-w-0 flex-1">
            <Kbd keys={wanted} /> is “{definitionOf(holder).label}” now.
            {definitionOf(holder).handledBySystem && " It cannot be taken from there."}
          </span>
          <Button size="small" onClick={() => want(undefined)}>
            Leave it
          </Button>
          {!definitionOf(holder).handledBySystem && (
            <Button size="small" kind="primary" onClick={() => take(wanted)}>
              Reassign
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

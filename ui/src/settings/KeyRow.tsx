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

/** One command with its shortcuts, which can be removed, reset and added. */
export function KeyRow({
  id,
  disabled,
  onAnnounce,
}: {
  id: CommandId;
  /** Whether shortcuts can't be changed at the moment. */
  disabled: boolean;
  /** Announces a change to screen readers. */
  onAnnounce: (text: string) => void;
}): ReactElement {
  const { label, scope, handledBySystem = false } = definitionOf(id);
  const keys = useKeyBindings().keysOf(id);
  const [wanted, want] = useState<string>();
  const holder = wanted === undefined ? undefined : conflictingCommand(wanted, id);

  function take(chord: string) {
    bindKey(id, chord);
    want(undefined);
    onAnnounce(`${label} is now ${formatShortcut(chord)}`);
  }

  return (
    <li className="group flex flex-col border-b px-3 py-1 last:border-b-0">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3">
        <span className="min-w-24 flex-1 basis-24 break-words">{label}</span>
        <span className="flex items-center gap-1.5">
          {keys.map((chord) => (
            <span key={chord} className="flex items-center">
              <Kbd keys={chord} />
              {(handledBySystem || disabled) && <span className="w-5" />}
              {!handledBySystem && !disabled && (
                <button
                  type="button"
                  aria-label={`Remove ${formatShortcut(chord)} from ${label}`}
                  onClick={() => {
                    unbindKey(id, chord);
                    onAnnounce(`${formatShortcut(chord)} removed from ${label}`);
                  }}
                  className="flex size-5 items-center justify-center rounded-small text-faint opacity-0 hover:bg-hover hover:text-fg focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100"
                >
                  <X className="size-3" aria-hidden="true" />
                </button>
              )}
            </span>
          ))}
          {keys.length === 0 && <span className="pr-5 text-12 text-faint">No shortcut</span>}
        </span>
        {handledBySystem ? (
          <span className="w-36 text-right text-12 text-faint">Standard shortcut</span>
        ) : (
          <span className="flex w-36 items-center justify-end gap-1">
            {isRebound(id, keys) && (
              <IconButton
                size="small"
                label={`Reset shortcuts for ${label}`}
                icon={<RotateCcw />}
                disabled={disabled}
                onClick={() => {
                  resetKeys(id);
                  onAnnounce(`Shortcuts for ${label} reset`);
                }}
              />
            )}
            <KeyRecorder
              name={label}
              scope={scope}
              disabled={disabled}
              onRecord={(chord) => (conflictingCommand(chord, id) ? want(chord) : take(chord))}
            />
          </span>
        )}
      </div>
      {wanted !== undefined && holder && (
        <div role="alert" className="flex items-center gap-2 pb-1 text-12">
          <span className="min-w-0 flex-1">
            <Kbd keys={wanted} /> is already assigned to “{definitionOf(holder).label}”.
            {definitionOf(holder).handledBySystem && " It can't be reassigned."}
          </span>
          <Button size="small" onClick={() => want(undefined)}>
            Cancel
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

import { RotateCcw, X } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useBindings } from "@/commands/bindings";
import { type CommandId, definitionOf } from "@/commands/catalogue";
import { bind, holderOf, isRebound, resetKeys, unbind } from "@/commands/rebinding";
import { Button } from "@/components/Button";
import { IconButton } from "@/components/IconButton";
import { Kbd, keyWords } from "@/components/Kbd";
import { KeyRecorder } from "./KeyRecorder";

/** One command: its keys, each to be taken away, and the way to another one. */
export function KeyRow({
  id,
  fixed: left,
  onTold,
}: {
  id: CommandId;
  /** Nothing can be changed at the moment. */
  fixed: boolean;
  /** Told to screen readers. */
  onTold: (words: string) => void;
}): ReactElement {
  const { words, scope, fixed = false } = definitionOf(id);
  const keys = useBindings().keysOf(id);
  const [wanted, want] = useState<string>();
  const holder = wanted === undefined ? undefined : holderOf(wanted, id);

  function take(chord: string) {
    bind(id, chord);
    want(undefined);
    onTold(`${words} is now ${keyWords(chord)}`);
  }

  return (
    <li className="group flex flex-col border-b px-3 py-1 last:border-b-0">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3">
        <span className="min-w-24 flex-1 basis-24 break-words">{words}</span>
        <span className="flex items-center gap-1.5">
          {keys.map((chord) => (
            <span key={chord} className="flex items-center">
              <Kbd keys={chord} />
              {(fixed || left) && <span className="w-5" />}
              {!fixed && !left && (
                <button
                  type="button"
                  aria-label={`Take ${keyWords(chord)} from ${words}`}
                  onClick={() => {
                    unbind(id, chord);
                    onTold(`${keyWords(chord)} does nothing now`);
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
        {fixed ? (
          <span className="w-36 text-right text-12 text-faint">As in every program</span>
        ) : (
          <span className="flex w-36 items-center justify-end gap-1">
            {isRebound(id, keys) && (
              <IconButton
                size="small"
                label={`Reset the keys of ${words}`}
                icon={<RotateCcw />}
                disabled={left}
                onClick={() => {
                  resetKeys(id);
                  onTold(`${words} has its first keys again`);
                }}
              />
            )}
            <KeyRecorder
              name={words}
              scope={scope}
              disabled={left}
              onRecord={(chord) => (holderOf(chord, id) ? want(chord) : take(chord))}
            />
          </span>
        )}
      </div>
      {wanted !== undefined && holder && (
        <div role="alert" className="flex items-center gap-2 pb-1 text-12">
          <span className="min-w-0 flex-1">
            <Kbd keys={wanted} /> is “{definitionOf(holder).words}” now.
            {definitionOf(holder).fixed && " It cannot be taken from there."}
          </span>
          <Button size="small" onClick={() => want(undefined)}>
            Leave it
          </Button>
          {!definitionOf(holder).fixed && (
            <Button size="small" kind="primary" onClick={() => take(wanted)}>
              Take it over
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

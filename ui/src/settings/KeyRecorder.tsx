import { type KeyboardEvent, type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { isMac, recordedChord } from "@/commands/chord";
import { type CommandScope, isLocal } from "@/commands/command";
import { keyBindings } from "@/commands/keyBindings";
import { sequenceTimeoutMs } from "@/commands/keySequence";
import { reservedChordReason } from "@/commands/reservedChords";
import { Button } from "@/components/Button";
import { formatShortcut } from "@/components/Kbd";

/**
 * Records the next pressed shortcut. After a key that begins shortcuts of two keys, such as G, it
 * waits for the second one for a moment. Escape and Tab cancel. Shortcuts of the browser or system
 * are rejected.
 */
export function KeyRecorder({
  name,
  scope,
  disabled,
  onRecord,
}: {
  /** The label of the command. */
  name: string;
  scope: CommandScope;
  disabled: boolean;
  onRecord: (chord: string) => void;
}): ReactElement {
  const [recording, setRecording] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  /** A recorded key that begins shortcuts of two keys, so that a second one may follow. */
  const [first, setFirst] = useState<string>();
  const recordFirst = useEffectEvent(() => {
    if (first !== undefined) finish(first);
  });
  useEffect(() => {
    if (first === undefined) return;
    const timer = setTimeout(recordFirst, sequenceTimeoutMs);
    return () => clearTimeout(timer);
  }, [first]);

  function stop() {
    setRecording(false);
    setRefusal(undefined);
    setFirst(undefined);
  }

  function finish(shortcut: string) {
    stop();
    onRecord(shortcut);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!recording) return;
    if (event.key === "Tab" && !event.ctrlKey && !event.altKey && !event.metaKey) return stop();
    event.preventDefault();
    event.stopPropagation();
    const chord = recordedChord(event);
    if (chord === "Escape") return stop();
    if (chord === undefined || event.repeat) return;
    const why = reservedChordReason(chord, scope, isMac);
    if (why !== undefined) {
      setRefusal(`${formatShortcut(chord)} ${why}.`);
      return;
    }
    if (first !== undefined) finish(`${first} ${chord}`);
    else if (mayContinue(chord, scope)) setFirst(chord);
    else finish(chord);
  }

  return (
    <span className="relative">
      <Button
        size="small"
        disabled={disabled}
        aria-label={
          recording ? `Press keys for ${name}, or Escape to cancel` : `Add shortcut for ${name}`
        }
        aria-pressed={recording}
        onClick={() => setRecording(true)}
        onBlur={stop}
        onKeyDown={onKeyDown}
        // Releasing Space clicks the button, which must not restart the recording.
        onKeyUp={(event) => recording && event.preventDefault()}
      >
        {first !== undefined
          ? `${formatShortcut(first)} then…`
          : recording
            ? "Press keys…"
            : "Add shortcut"}
      </Button>
      {refusal !== undefined && (
        <span
          role="alert"
          className="absolute top-full right-0 z-20 mt-1 w-64 rounded-control bg-overlay px-2 py-1.5 text-12 shadow-float"
        >
          {refusal}
        </span>
      )}
    </span>
  );
}

/** Whether a second key may follow. Lists handle single keys only. */
function mayContinue(chord: string, scope: CommandScope): boolean {
  return !isLocal(scope) && keyBindings().sequencesAfter(chord).length > 0;
}

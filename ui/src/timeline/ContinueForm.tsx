import { TriangleAlert } from "lucide-react";
import type { KeyboardEvent, ReactElement } from "react";
import { Button } from "@/components/Button";
import { TextArea } from "@/components/TextArea";
import { useTextDraft } from "@/shell/useTextDraft";

/** Continues the session itself, or a copy of it. */
export type ContinueMode = "continue" | "fork";

export interface ContinueFormProps {
  /** The message is kept under this name until it is sent or cancelled. */
  draftName: string;
  mode: ContinueMode;
  /** The session continues as a new attempt of its node; otherwise in a one-node blueprint. */
  inItsRun: boolean;
  busy: boolean;
  error: string | undefined;
  onSend: (message: string) => void;
  onClose: () => void;
}

/** Asks for the message to send to the session and explains what will happen. */
export function ContinueForm(props: ContinueFormProps): ReactElement {
  const { draftName, mode, inItsRun, busy, error, onSend, onClose } = props;
  const [message, setMessage, discard] = useTextDraft(draftName);
  const isEmpty = message.trim() === "";
  const ownFile = mode === "continue" && !inItsRun;

  function onKeyDown(event: KeyboardEvent) {
    // Otherwise the timeline would treat typed characters as shortcuts.
    event.stopPropagation();
    if (event.key === "Escape") onClose();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isEmpty && !busy) {
      onSend(message);
    }
  }

  return (
    <form
      aria-label={mode === "fork" ? "Fork this session" : "Continue this session"}
      className="flex shrink-0 flex-col gap-2 border-t px-4 py-2"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty && !busy) onSend(message);
      }}
    >
      <TextArea
        label="What should the agent do next?"
        dir="auto"
        autoFocus
        rows={3}
        value={message}
        onChange={setMessage}
        hint={continueHint(mode, inItsRun)}
        error={error}
      />
      {ownFile && (
        <p className="flex items-start gap-1.5 text-12 text-muted">
          <TriangleAlert
            aria-hidden="true"
            className="mt-0.5 size-3.5 shrink-0 text-state-waiting"
          />
          The agent appends to this session's history file. Fork the session to keep it unchanged.
          Don't continue a session that is open elsewhere.
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" busy={busy} disabled={isEmpty}>
          {continueLabel(mode, inItsRun)}
        </Button>
        <Button
          size="small"
          onClick={() => {
            discard();
            onClose();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}

function continueLabel(mode: ContinueMode, inItsRun: boolean): string {
  if (mode === "fork") return "Fork into blueprint";
  return inItsRun ? "Send" : "Continue in blueprint";
}

function continueHint(mode: ContinueMode, inItsRun: boolean): string {
  if (mode === "fork") {
    return "A one-node blueprint continues a copy of the session. The original stays unchanged.";
  }
  return inItsRun
    ? "A new attempt of the node continues this session. Its handoff replaces the previous one, and finished nodes that depend on it become stale."
    : "A one-node blueprint continues the session in its original directory.";
}

import { TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { TextArea } from "@/components/TextArea";

/** The session itself goes on, or a copy of it does. */
export type ContinueMode = "continue" | "fork";

export interface ContinueFormProps {
  way: ContinueMode;
  /** It goes on as a new attempt of its node; otherwise in a blueprint of one node. */
  inItsRun: boolean;
  busy: boolean;
  error: string | undefined;
  onSend: (message: string) => void;
  onClose: () => void;
}

/** What the agent is to do next, and what comes of saying it. */
export function ContinueForm(props: ContinueFormProps): ReactElement {
  const { way, inItsRun, busy, error, onSend, onClose } = props;
  const [message, setMessage] = useState("");
  const isEmpty = message.trim() === "";
  const ownFile = way === "continue" && !inItsRun;

  function onKeyDown(event: KeyboardEvent) {
    // The timeline's own keys move about in it.
    event.stopPropagation();
    if (event.key === "Escape") onClose();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isEmpty && !busy) {
      onSend(message);
    }
  }

  return (
    <form
      aria-label={way === "fork" ? "Fork this session" : "Continue this session"}
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
        hint={continueHint(way, inItsRun)}
        error={error}
      />
      {ownFile && (
        <p className="flex items-start gap-1.5 text-12 text-muted">
          <TriangleAlert
            aria-hidden="true"
            className="mt-0.5 size-3.5 shrink-0 text-state-waiting"
          />
          The session goes on in its own file: the agent adds to its history. Fork it to leave it as
          it is, and do not continue one that is open elsewhere.
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" busy={busy} disabled={isEmpty}>
          {continueLabel(way, inItsRun)}
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function continueLabel(way: ContinueMode, inItsRun: boolean): string {
  if (way === "fork") return "Fork into blueprint";
  return inItsRun ? "Send" : "Continue in blueprint";
}

function continueHint(way: ContinueMode, inItsRun: boolean): string {
  if (way === "fork") {
    return "A blueprint of one node works in a copy of the session. This one stays as it is.";
  }
  return inItsRun
    ? "A new attempt of the node continues this session. Its handoff replaces the previous one, and finished nodes below become stale."
    : "A one-node blueprint continues the session in its original directory.";
}

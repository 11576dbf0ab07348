import { type KeyboardEvent, type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { TextArea } from "@/components/TextArea";
import { useTextDraft } from "@/shell/useTextDraft";
import { answerError, type InputAsk } from "./answerError";
import { OptionList } from "./OptionList";
import { YesNoButtons } from "./YesNoButtons";

export interface InputFormProps {
  ask: InputAsk;
  /** Identifies the question: a typed answer is kept under this name until it is sent. */
  draftName: string;
  /** The answer that is being sent. */
  sending?: string | undefined;
  onSend: (answer: string) => void;
}

/** The form to answer a node's question: text, options, or yes and no. Enter sends it. */
export function InputForm(props: InputFormProps): ReactElement {
  const { ask, sending, onSend } = props;
  if (ask.inputType !== "confirm") return <Draft {...props} />;
  return (
    <YesNoButtons
      yes="Yes"
      no="No"
      commits={false}
      sending={sending === undefined ? undefined : sending === "yes"}
      onAnswer={(yes) => onSend(yes ? "yes" : "no")}
    />
  );
}

/** A text or an option that is edited before it is sent. */
function Draft({ ask, draftName, sending, onSend }: InputFormProps): ReactElement {
  const [answer, setAnswer] = useTextDraft(draftName);
  // Errors are shown on the first attempt to send, not while typing.
  const [tried, setTried] = useState(false);
  const fault = answerError(ask, answer);
  const error = tried ? fault : undefined;

  function send() {
    setTried(true);
    if (fault === undefined && sending === undefined) onSend(answer);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      className="flex w-full max-w-160 flex-col items-start gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {ask.inputType === "choice" ? (
        <OptionList
          options={ask.options}
          value={answer}
          error={error}
          onChange={setAnswer}
          onKeyDown={onKeyDown}
        />
      ) : (
        <div className="w-full">
          <TextArea
            label="Answer"
            labelHidden
            placeholder="Your answer"
            rows={1}
            className="min-h-7! py-0.75!"
            value={answer}
            error={error}
            hint="Press Enter to send, Shift+Enter for a new line."
            onChange={setAnswer}
            onKeyDown={onKeyDown}
          />
        </div>
      )}
      <Button type="submit" size="small" kind="primary" busy={sending !== undefined}>
        Send answer
      </Button>
    </form>
  );
}

import type { ReactElement } from "react";
import { useKeysFor } from "@/commands/keyBindings";
import { Button } from "@/components/Button";
import { Tooltip } from "@/components/Tooltip";
import { numberedAnswer, numberMark } from "./answerKeys";

export interface YesNoButtonsProps {
  /** The label of the positive answer, such as "Allow". */
  yes: string;
  /** The label of the negative answer, such as "Deny". */
  no: string;
  /** The answer that is being sent. */
  sending?: boolean | undefined;
  /** The positive answer starts work or runs a call, so its keys need Enter too. */
  commits: boolean;
  onAnswer: (yes: boolean) => void;
}

/** The two answers to a question. Shortcuts of the Inbox click them while the item is focused. */
export function YesNoButtons(props: YesNoButtonsProps): ReactElement {
  const { yes, no, sending, commits, onAnswer } = props;
  const [allow, deny] = [useKeysFor("inbox_yes"), useKeysFor("inbox_no")];
  return (
    <>
      <Tooltip content={yes} keys={allow}>
        <Button
          size="small"
          kind="primary"
          {...numberedAnswer({ at: 0, commits, keys: allow })}
          className={numberMark}
          data-answer="inbox_yes"
          busy={sending === true}
          onClick={() => onAnswer(true)}
        >
          {yes}
        </Button>
      </Tooltip>
      <Tooltip content={no} keys={deny}>
        <Button
          size="small"
          {...numberedAnswer({ at: 1, keys: deny })}
          className={numberMark}
          data-answer="inbox_no"
          busy={sending === false}
          onClick={() => onAnswer(false)}
        >
          {no}
        </Button>
      </Tooltip>
    </>
  );
}

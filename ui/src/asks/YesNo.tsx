import type { ReactElement } from "react";
import { useKeysFor } from "@/commands/bindings";
import { Button } from "@/components/Button";
import { Tooltip } from "@/components/Tooltip";

export interface YesNoProps {
  /** What a yes does: "Allow". */
  yes: string;
  /** What a no does: "Deny". */
  no: string;
  /** The answer that is on its way. */
  saying?: boolean | undefined;
  onSay: (yes: boolean) => void;
}

/** The two answers to a question. Keys of the Inbox give them while the question has the focus. */
export function YesNo({ yes, no, saying, onSay }: YesNoProps): ReactElement {
  const [allow, deny] = [useKeysFor("inbox_yes"), useKeysFor("inbox_no")];
  return (
    <>
      <Tooltip content={yes} keys={allow}>
        <Button
          size="small"
          kind="primary"
          aria-keyshortcuts={allow}
          data-answer="inbox_yes"
          busy={saying === true}
          onClick={() => onSay(true)}
        >
          {yes}
        </Button>
      </Tooltip>
      <Tooltip content={no} keys={deny}>
        <Button
          size="small"
          aria-keyshortcuts={deny}
          data-answer="inbox_no"
          busy={saying === false}
          onClick={() => onSay(false)}
        >
          {no}
        </Button>
      </Tooltip>
    </>
  );
}

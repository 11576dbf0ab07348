import type { ReactElement } from "react";
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

/** The two answers to a question. `A` and `D` give them while the question has the focus. */
export function YesNo({ yes, no, saying, onSay }: YesNoProps): ReactElement {
  return (
    <>
      <Tooltip content={yes} keys="A">
        <Button
          size="small"
          kind="primary"
          aria-keyshortcuts="a"
          busy={saying === true}
          onClick={() => onSay(true)}
        >
          {yes}
        </Button>
      </Tooltip>
      <Tooltip content={no} keys="D">
        <Button
          size="small"
          aria-keyshortcuts="d"
          busy={saying === false}
          onClick={() => onSay(false)}
        >
          {no}
        </Button>
      </Tooltip>
    </>
  );
}

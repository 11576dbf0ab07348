import type { ReactElement } from "react";
import { CopyButton } from "./CopyButton";
import { InlineCodeText } from "./InlineCodeText";
import { toSentence } from "./toSentence";

/** How to fix something: a fragment from the backend. Its commands have a button to copy them. */
export function FixText({ children }: { children: string }): ReactElement {
  return (
    <InlineCodeText
      afterCode={(command) => (
        <span className="inline-flex align-middle">
          <CopyButton text={command} label={`Copy ${command}`} />
        </span>
      )}
    >
      {toSentence(children)}
    </InlineCodeText>
  );
}

/** The commands in a message: what is between backticks. */
export function commandsIn(message: string): string[] {
  return [...new Set(message.split("`").filter((part, at) => at % 2 === 1 && part !== ""))];
}

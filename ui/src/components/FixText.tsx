import type { ReactElement } from "react";
import { CopyButton } from "./CopyButton";
import { InlineCodeText } from "./InlineCodeText";
import { toSentence } from "./toSentence";

/** How to fix something: a fragment from the backend. Its commands have a button to copy them. */
export function FixText({ children }: { children: string }): ReactElement {
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-1">
      <span className="min-w-0 break-words">
        <InlineCodeText>{toSentence(children)}</InlineCodeText>
      </span>
      {commandsIn(children).map((command) => (
        <CopyButton key={command} text={command} label={`Copy ${command}`} />
      ))}
    </span>
  );
}

/** The commands in a message: what is between backticks. */
export function commandsIn(message: string): string[] {
  return [...new Set(message.split("`").filter((part, at) => at % 2 === 1 && part !== ""))];
}

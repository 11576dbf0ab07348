import { Fragment, type ReactElement, type ReactNode } from "react";

export interface InlineCodeTextProps {
  children: string;
  /** Shown after each piece of code, the first time that it occurs. */
  afterCode?: (code: string) => ReactNode;
}

/**
 * A message from the backend. Text between backticks is shown as code; other markup is not
 * interpreted.
 */
export function InlineCodeText({ children, afterCode }: InlineCodeTextProps): ReactElement {
  const parts = children.split("`");
  // A mark stays with the code that it follows; what is shown after the code comes after the mark.
  const markAfter = (at: number) => /^[,.;:!?)]*/.exec(parts[at + 1] ?? "")?.[0] ?? "";
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          part.slice(at === 0 ? 0 : markAfter(at - 1).length)
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other identity
          <Fragment key={at}>
            <code className="rounded-small bg-hover px-1">{part}</code>
            {markAfter(at)}
            {part !== "" && parts.indexOf(part) === at && afterCode?.(part)}
          </Fragment>
        ),
      )}
    </>
  );
}

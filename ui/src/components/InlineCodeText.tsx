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
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other identity
          <Fragment key={at}>
            <code className="rounded-small bg-hover px-1">{part}</code>
            {part !== "" && parts.indexOf(part) === at && afterCode?.(part)}
          </Fragment>
        ),
      )}
    </>
  );
}

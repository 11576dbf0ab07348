import type { ReactElement } from "react";

/**
 * A message from the backend. Text between backticks is shown as code; other markup is not
 * interpreted.
 */
export function InlineCodeText({ children }: { children: string }): ReactElement {
  return (
    <>
      {children.split("`").map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other identity
          <code key={at} className="rounded-small bg-hover px-1">
            {part}
          </code>
        ),
      )}
    </>
  );
}

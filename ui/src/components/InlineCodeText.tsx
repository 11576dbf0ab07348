import type { ReactElement } from "react";

/** A sentence of the backend; what stands between its backticks is code. Nothing else in it is markup. */
export function InlineCodeText({ children }: { children: string }): ReactElement {
  return (
    <>
      {children.split("`").map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
          <code key={at} className="rounded-small bg-hover px-1">
            {part}
          </code>
        ),
      )}
    </>
  );
}

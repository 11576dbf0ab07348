import { Fragment, type ReactElement } from "react";
import type { CodeGrammar } from "./codeGrammar";
import type { CodeSpan } from "./codeHighlighter";
import { useHighlightedCode } from "./useHighlightedCode";

/** Code in its colors. The text is there at once; the colors follow. */
export function CodeText({
  text,
  grammar,
}: {
  text: string;
  grammar: CodeGrammar | undefined;
}): ReactElement {
  const lines = useHighlightedCode(grammar, [text])?.[0];
  if (!lines) return <>{text}</>;
  return (
    <>
      {lines.map((spans, at) => (
        // Lines never change order.
        // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a line
        <Fragment key={at}>
          {at > 0 && "\n"}
          <CodeLine spans={spans} />
        </Fragment>
      ))}
    </>
  );
}

/** The colored parts of one line. */
export function CodeLine({ spans }: { spans: readonly CodeSpan[] }): ReactElement {
  return (
    <>
      {spans.map(({ text, className }, at) =>
        className === "" ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a part
          <span key={at} className={className}>
            {text}
          </span>
        ),
      )}
    </>
  );
}

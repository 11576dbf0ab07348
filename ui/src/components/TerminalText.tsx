import { Fragment, type ReactElement } from "react";
import type { StyledRange } from "@/api/bindings";
import { terminalStyleProps } from "./terminalStyle";

/**
 * Text with the colors of a terminal. Ranges are sorted and don't overlap; what they leave out is
 * plain. A hyperlink opens after a press, and only if it is http or https.
 */
export function TerminalText({
  text,
  styles,
}: {
  text: string;
  styles: readonly StyledRange[];
}): ReactElement {
  let end = 0;
  const parts = styles
    .filter(({ start }) => start < text.length)
    .map(({ start, end: until, style }) => {
      const before = text.slice(end, start);
      end = until;
      return { before, start, part: text.slice(start, until), style };
    });
  return (
    <>
      {parts.map(({ before, start, part, style }) => (
        <Fragment key={start}>
          {before}
          {isWebAddress(style.link) ? (
            <a
              href={style.link}
              title={style.link}
              target="_blank"
              rel="noreferrer noopener"
              {...terminalStyleProps({ ...style, underline: true })}
            >
              {part}
            </a>
          ) : (
            <span {...terminalStyleProps(style)}>{part}</span>
          )}
        </Fragment>
      ))}
      {text.slice(end)}
    </>
  );
}

function isWebAddress(link: string | undefined): boolean {
  return link !== undefined && /^https?:\/\//i.test(link);
}

import type { KeyboardEvent, ReactElement } from "react";
import { classes } from "@/components/classes";
import { terminalStyleProps } from "@/components/terminalStyle";
import type { OpenPath } from "./fileLinks";
import type { RowSpan } from "./splitRow";

export interface OutputSpanProps {
  span: RowSpan;
  onOpenPath: OpenPath | undefined;
}

/** A part of a row: text, or a link that opens when it is pressed. */
export function OutputSpan({ span, onOpenPath }: OutputSpanProps): ReactElement | string {
  const { text, style, mark, address, file } = span;
  const styled = style && terminalStyleProps(style);
  const look = {
    className: classes(styled?.className, mark && markClasses[mark]),
    ...(styled?.style && !mark && { style: styled.style }),
  };
  if (address !== undefined) {
    return (
      <a
        {...look}
        href={address}
        title={address}
        target="_blank"
        rel="noreferrer noopener"
        className={classes("underline", look.className)}
      >
        {text}
      </a>
    );
  }
  if (file && onOpenPath) {
    const { path, line, column } = file;
    const open = () => onOpenPath({ path, line, ...(column !== undefined && { column }) });
    return (
      // The text of a button could not be selected.
      // biome-ignore lint/a11y/useSemanticElements: see above
      <span
        {...look}
        role="link"
        tabIndex={0}
        title={`Open ${path}, line ${line}`}
        onClick={() => window.getSelection()?.isCollapsed !== false && open()}
        onKeyDown={(event) => isEnter(event) && open()}
        className={classes("cursor-pointer underline decoration-dotted", look.className)}
      >
        {text}
      </span>
    );
  }
  if (mark) return <mark {...look}>{text}</mark>;
  return style ? <span {...look}>{text}</span> : text;
}

const markClasses = {
  match: "bg-(--terminal-match) text-fg",
  current: "bg-accent text-on-accent forced-color-adjust-none",
} as const;

function isEnter(event: KeyboardEvent): boolean {
  if (event.key !== "Enter") return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

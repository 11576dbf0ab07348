import { type ReactElement, useState } from "react";
import { classes } from "@/components/classes";

export interface TitleInputProps {
  label: string;
  title: string;
  /** The new title; none when the person gave up. */
  onDone: (title: string | undefined) => void;
  className?: string;
}

const longest = 500;

/** A title while it is written: Enter or leaving keeps it, Escape gives up. */
export function TitleInput({ label, title, onDone, className }: TitleInputProps): ReactElement {
  const [text, setText] = useState(title);

  return (
    <input
      // The person asked for it by F2, by a double click, or by adding the node.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label={label}
      value={text}
      maxLength={longest}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => onDone(text)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") event.currentTarget.blur();
        // Blur follows when the field goes away; the title is then the old one and changes nothing.
        if (event.key === "Escape") onDone(undefined);
      }}
      className={classes(
        "nodrag nopan nowheel min-w-0 rounded-small border border-focus bg-surface px-1 text-13 outline-none",
        className,
      )}
    />
  );
}

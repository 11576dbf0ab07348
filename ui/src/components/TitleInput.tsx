import { type ReactElement, useRef, useState } from "react";
import { classes } from "./classes";

export interface TitleInputProps {
  label: string;
  title: string;
  /** The new title; none when the person gave up. */
  onDone: (title: string | undefined) => void;
  className?: string;
}

const maxLength = 500;

/** A title while it is written: Enter or leaving keeps it, Escape gives up. By a key the focus goes back to the card. */
export function TitleInput({ label, title, onDone, className }: TitleInputProps): ReactElement {
  const [text, setText] = useState(title);
  const done = useRef(false);
  const finish = (next: string | undefined) => {
    // Leaving follows when the field goes away.
    if (!done.current) onDone(next);
    done.current = true;
  };

  return (
    <input
      // The person asked for it by F2, by a double click, or by adding the node.
      // biome-ignore lint/a11y/noAutofocus: see above
      autoFocus
      aria-label={label}
      value={text}
      maxLength={maxLength}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish(text)}
      onKeyDown={(event) => {
        event.stopPropagation();
        // Enter ends a word that is composed, not the title.
        if (event.nativeEvent.isComposing) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        const card = closestNodeCard(event.currentTarget);
        finish(event.key === "Enter" ? text : undefined);
        card?.focus({ preventScroll: true });
      }}
      className={classes(
        "nodrag nopan nowheel min-w-0 rounded-small border border-focus bg-surface px-1 text-13 outline-none",
        className,
      )}
    />
  );
}

/** The card on the canvas that a field stands in. */
export function closestNodeCard(field: Element): HTMLElement | null {
  return field.closest<HTMLElement>(".react-flow__node");
}

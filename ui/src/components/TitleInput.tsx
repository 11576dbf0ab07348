import { type ReactElement, useRef, useState } from "react";
import { classes } from "./classes";

export interface TitleInputProps {
  label: string;
  title: string;
  /**
   * Called once with the new title, or with `undefined` when editing was canceled. `entered` says
   * whether Enter ended it, and not a press elsewhere.
   */
  onDone: (title: string | undefined, entered: boolean) => void;
  className?: string;
}

const maxLength = 500;

/**
 * An inline editor for a title. Enter or blur commits, Escape cancels. After a key press the focus
 * returns to the card.
 */
export function TitleInput({ label, title, onDone, className }: TitleInputProps): ReactElement {
  const [text, setText] = useState(title);
  const done = useRef(false);
  const finish = (next: string | undefined, entered = false) => {
    // Unmounting the field causes a second call, by blur.
    if (!done.current) onDone(next, entered);
    done.current = true;
  };

  return (
    <input
      ref={enlargeWhereSmall}
      // biome-ignore lint/a11y/noAutofocus: editing was started by F2, by a double click, or by adding the node
      autoFocus
      aria-label={label}
      dir="auto"
      value={text}
      maxLength={maxLength}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish(text)}
      onKeyDown={(event) => {
        event.stopPropagation();
        // During IME composition, Enter confirms the composed text, not the title.
        if (event.nativeEvent.isComposing) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        const card = closestNodeCard(event.currentTarget);
        const entered = event.key === "Enter";
        finish(entered ? text : undefined, entered);
        card?.focus({ preventScroll: true });
      }}
      className={classes(
        "nodrag nopan nowheel min-w-0 rounded-small border border-focus bg-surface px-1 text-13 outline-none",
        className,
      )}
    />
  );
}

/** The smallest size at which a title is edited, in pixels of the window. */
const minTextSize = 12;

/** Enlarges a field on a canvas that is zoomed out, where nobody could read what they type. */
function enlargeWhereSmall(field: HTMLInputElement | null): void {
  if (!field || field.offsetWidth === 0) return;
  const zoom = field.getBoundingClientRect().width / field.offsetWidth;
  const size = Number.parseFloat(getComputedStyle(field).fontSize) * zoom;
  if (!(size < minTextSize)) return;
  field.style.transform = `scale(${minTextSize / size})`;
  field.style.transformOrigin = "left center";
  // Above what represents the card at this zoom.
  field.style.position = "relative";
  field.style.zIndex = "1";
}

/** Returns the node card on the canvas that contains an element. */
export function closestNodeCard(field: Element): HTMLElement | null {
  return field.closest<HTMLElement>(".react-flow__node");
}

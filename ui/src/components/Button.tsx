import type { ComponentProps, ReactElement } from "react";
import { type ButtonKind, type ButtonSize, buttonClasses } from "./buttonClasses";
import { classes } from "./classes";

export interface ButtonProps extends ComponentProps<"button"> {
  kind?: ButtonKind;
  size?: ButtonSize;
  /** The action is in progress: the button stays focusable, shows it, and ignores presses. */
  busy?: boolean;
}

/** A button with a label, which starts with a verb: "Run all", "Approve blueprint". */
export function Button({
  kind = "secondary",
  size = "medium",
  busy = false,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps): ReactElement {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classes(buttonClasses(kind, size), className)}
    >
      {busy && <BusyRing />}
      {children}
    </button>
  );
}

function BusyRing(): ReactElement {
  return (
    <svg viewBox="0 0 12 12" className="size-3 animate-turn" aria-hidden="true">
      <path d="M6 1a5 5 0 0 1 5 5" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}

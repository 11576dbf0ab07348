import type { ComponentProps, ReactElement, ReactNode } from "react";
import { classes } from "./classes";
import { Tooltip } from "./Tooltip";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  /** The action, as a verb: the accessible name and the tooltip. */
  label: string;
  icon: ReactNode;
  keys?: string;
  size?: "small" | "medium";
  /** For a toggle button; leave it out for other buttons. */
  pressed?: boolean;
  side?: "top" | "right" | "bottom" | "left";
}

/** A button with a 16 px icon and its name as a tooltip. */
export function IconButton({
  label,
  icon,
  keys,
  size = "medium",
  pressed,
  side,
  className,
  ...rest
}: IconButtonProps): ReactElement {
  return (
    <Tooltip content={label} keys={keys} {...(side && { side })}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-pressed={pressed}
        className={classes(
          "inline-flex shrink-0 items-center justify-center rounded-control text-muted transition-colors enabled:hover:bg-hover enabled:hover:text-fg enabled:active:bg-active disabled:cursor-not-allowed disabled:opacity-50 aria-pressed:bg-active aria-pressed:text-fg data-[state=open]:bg-active [&>svg]:size-4",
          size === "small" ? "size-6" : "size-7",
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}

import { classes } from "./classes";

export type ButtonKind = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "small" | "medium";

const kinds: Record<ButtonKind, string> = {
  primary:
    "forced-color-adjust-none border-transparent bg-accent text-on-accent not-disabled:hover:bg-accent-hover not-disabled:active:bg-accent-active",
  secondary:
    "border-line bg-surface text-fg not-disabled:hover:bg-hover not-disabled:active:bg-active",
  ghost:
    "border-transparent text-muted not-disabled:hover:bg-hover not-disabled:hover:text-fg not-disabled:active:bg-active",
  danger:
    "forced-color-adjust-none border-transparent bg-danger text-on-danger not-disabled:hover:bg-danger-hover not-disabled:active:bg-danger-active",
};

const sizes: Record<ButtonSize, string> = {
  small: "h-6 gap-1 px-2 text-12",
  medium: "h-7 gap-1.5 px-2.5 text-13",
};

/** Returns the class names of buttons and of links that look like buttons. */
export function buttonClasses(kind: ButtonKind, size: ButtonSize): string {
  return classes(
    "inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-control border font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-50 [&>svg]:size-4 [&>svg]:shrink-0 aria-busy:[&>svg+svg]:hidden",
    kinds[kind],
    sizes[size],
  );
}

import type { ReactElement, ReactNode } from "react";

export interface FilterChipProps {
  pressed: boolean;
  onPress: () => void;
  /** An explanation, shown as a tooltip. */
  hint?: string | undefined;
  children: ReactNode;
}

/** A filter above a list that is either on or off. */
export function FilterChip({ pressed, onPress, hint, children }: FilterChipProps): ReactElement {
  return (
    <button
      type="button"
      title={hint}
      aria-pressed={pressed}
      onClick={onPress}
      className="inline-flex h-6 max-w-48 items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 font-medium text-12 text-muted transition-colors hover:bg-hover hover:text-fg active:bg-active aria-pressed:border-transparent aria-pressed:bg-accent-tint aria-pressed:text-accent-fg"
    >
      {children}
    </button>
  );
}

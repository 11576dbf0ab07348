import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";

export interface TooltipProps {
  content: ReactNode;
  /** The keyboard shortcut of the same action, such as `Mod+F`. */
  keys?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
  /** A single element that accepts a ref and can be hovered or focused. */
  children: ReactElement;
}

/**
 * A hint for the hovered or focused element. Must not contain information that is available nowhere
 * else.
 */
export function Tooltip({ content, keys, side = "bottom", children }: TooltipProps): ReactElement {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-80 animate-appear items-center gap-2 rounded-control bg-overlay px-2 py-1 text-12 text-fg shadow-float"
        >
          {content}
          {keys && <Kbd keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Rendered once around the app, so that moving between neighboring tooltips skips the delay. */
export function TooltipProvider({ children }: { children: ReactNode }): ReactElement {
  return (
    <Radix.Provider delayDuration={500} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}

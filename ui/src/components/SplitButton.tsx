import { ChevronDown } from "lucide-react";
import type { KeyboardEventHandler, ReactElement, ReactNode } from "react";
import { Button } from "./Button";
import type { ButtonKind } from "./buttonClasses";
import { Menu, type MenuEntry } from "./Menu";

export interface SplitButtonProps {
  kind?: ButtonKind;
  children: ReactNode;
  onClick: () => void;
  /** Sees the keys of the main button, not those of the menu. */
  onKeyDown?: KeyboardEventHandler<HTMLButtonElement>;
  busy?: boolean;
  /** The accessible name of the arrow: "Run options". */
  menuLabel: string;
  entries: MenuEntry[];
}

/** A button with a menu of its variants. */
export function SplitButton({
  kind = "secondary",
  children,
  onClick,
  onKeyDown,
  busy = false,
  menuLabel,
  entries,
}: SplitButtonProps): ReactElement {
  return (
    <span className="inline-flex">
      <Button
        kind={kind}
        onClick={onClick}
        onKeyDown={onKeyDown}
        busy={busy}
        className="rounded-r-none"
      >
        {children}
      </Button>
      <Menu entries={entries} align="end">
        <Button
          kind={kind}
          aria-label={menuLabel}
          className={
            kind === "primary"
              ? "rounded-l-none border-l-on-accent/30 px-1"
              : "-ml-px rounded-l-none px-1"
          }
        >
          <ChevronDown aria-hidden="true" className="size-3.5!" />
        </Button>
      </Menu>
    </span>
  );
}

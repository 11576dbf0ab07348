import { ArrowLeft } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef } from "react";
import { Button } from "./Button";

export interface SideSheetProps {
  /** The panel to show over the content, or nothing. */
  over: ReactNode;
  /** The label of the back button: "Back to the graph". */
  back: string;
  onBack: () => void;
  children: ReactNode;
}

/**
 * A panel that covers the content when the window has no room for both, with a back button above
 * it. The content below keeps its size and so its scroll position.
 */
export function SideSheet({ over, back, onBack, children }: SideSheetProps): ReactElement {
  const open = over !== undefined && over !== null && over !== false;
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div inert={open} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {children}
      </div>
      {open && (
        <Sheet back={back} onBack={onBack}>
          {over}
        </Sheet>
      )}
    </div>
  );
}

function Sheet({ back, onBack, children }: Omit<SideSheetProps, "over">): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    button.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles the key that its button stands for
    <div
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        onBack();
      }}
      className="absolute inset-0 z-20 flex animate-arrive flex-col bg-surface"
    >
      <div className="flex shrink-0 border-b px-2 py-1">
        <Button ref={button} kind="ghost" size="small" onClick={onBack}>
          <ArrowLeft aria-hidden="true" />
          {back}
        </Button>
      </div>
      {children}
    </div>
  );
}

import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { type ReactElement, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Button } from "./Button";
import { classes } from "./classes";
import { type Toast, useToasts } from "./toasts";
import { useWindowSizeMatch } from "./useWindowSizeMatch";

const seconds = 1_000;

/**
 * Radix's keys for the toasts are off: F8, the default, goes to the next problem of a blueprint, and
 * Radix would also take Alt+T with Shift, which tidies the layout.
 */
const noHotkey: string[] = [];

/** Moves the focus to the toasts with Alt+T. */
function useToastKey(viewport: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = ({ altKey, shiftKey, ctrlKey, metaKey, code }: KeyboardEvent) => {
      if (altKey && code === "KeyT" && !shiftKey && !ctrlKey && !metaKey) viewport.current?.focus();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [viewport]);
}

/** In a small window, three toasts would cover the content. */
const isSmall = (width: number, height: number) => height < 800 || width < 1_100;

/**
 * Shows toasts at the bottom right, beside the inspector, announces them, and makes them reachable
 * with Alt+T. Errors stay until dismissed. In a small window, only the newest is shown, and those
 * with an action, because their time runs; hovering or focusing them reveals the others.
 */
export function ToastRegion({ children }: { children: ReactNode }): ReactElement {
  const { toasts, dismiss, inset } = useToasts();
  const isFolded = useWindowSizeMatch(isSmall);
  const folded = isFolded ? toasts.slice(0, -1).filter(({ action }) => action === undefined) : [];
  const viewport = useRef<HTMLOListElement>(null);
  useToastKey(viewport);
  return (
    <Radix.Provider label="Notification" swipeDirection="right">
      {children}
      {toasts.map((toast, at) => (
        <ToastCard
          key={toast.id}
          toast={toast}
          behind={folded.includes(toast)}
          more={at === toasts.length - 1 ? folded.length : 0}
          onDismiss={() => dismiss(toast.id)}
        />
      ))}
      <Radix.Viewport
        ref={viewport}
        hotkey={noHotkey}
        label="Notifications (Alt+T)"
        style={{ marginRight: inset }}
        className="group/toasts fixed right-3 bottom-3 z-50 flex w-88 max-w-[calc(min(100vw,max(376px,50vw))-24px)] flex-col gap-2 outline-none"
      />
    </Radix.Provider>
  );
}

interface ToastCardProps {
  toast: Toast;
  /** Hidden behind a newer toast. */
  behind: boolean;
  /** The number of toasts hidden behind this one. */
  more: number;
  onDismiss: () => void;
}

function ToastCard({ toast, behind, more, onDismiss }: ToastCardProps): ReactElement {
  const { kind, title, detail, action, durationMs = 6 * seconds } = toast;
  return (
    <Radix.Root
      type={kind === "error" ? "foreground" : "background"}
      duration={kind === "error" ? Number.POSITIVE_INFINITY : durationMs}
      onOpenChange={(open) => open || onDismiss()}
      className={classes(
        "animate-arrive items-start gap-2 rounded-card bg-overlay py-2 pr-2 pl-3 shadow-float",
        behind ? "hidden group-focus-within/toasts:flex group-hover/toasts:flex" : "flex",
      )}
    >
      <div className="min-w-0 flex-1 py-0.5">
        <Radix.Title
          className={classes("break-words font-medium", kind === "error" && "text-danger-fg")}
        >
          {title}
        </Radix.Title>
        {detail && (
          <Radix.Description className="select-text whitespace-pre-line break-words text-12 text-muted">
            {detail}
          </Radix.Description>
        )}
        {more > 0 && (
          <p className="text-12 text-faint group-focus-within/toasts:hidden group-hover/toasts:hidden">
            {more} more
          </p>
        )}
      </div>
      {action && (
        <Radix.Action asChild altText={action.label} onClick={action.onAct}>
          <Button size="small">{action.label}</Button>
        </Radix.Action>
      )}
      <Radix.Close
        aria-label="Dismiss"
        className="flex size-6 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-fg active:bg-active"
      >
        <X className="size-3.5" aria-hidden="true" />
      </Radix.Close>
    </Radix.Root>
  );
}

import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Button } from "./Button";
import { classes } from "./classes";
import { type Toast, useToasts } from "./toasts";

const seconds = 1_000;

/** Where toasts appear: bottom right, announced, reached by F8. Errors stay until dismissed. */
export function ToastRegion({ children }: { children: ReactNode }): ReactElement {
  const { toasts, dismiss } = useToasts();
  return (
    <Radix.Provider label="Notice" swipeDirection="right">
      {children}
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={() => dismiss(toast.id)} />
      ))}
      <Radix.Viewport className="fixed right-3 bottom-3 z-50 flex w-88 max-w-[calc(100vw-24px)] flex-col gap-2 outline-none" />
    </Radix.Provider>
  );
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }): ReactElement {
  const { kind, title, detail, action } = toast;
  return (
    <Radix.Root
      type={kind === "error" ? "foreground" : "background"}
      duration={kind === "error" ? Number.POSITIVE_INFINITY : 6 * seconds}
      onOpenChange={(open) => open || onDismiss()}
      className="flex animate-appear items-start gap-2 rounded-card bg-overlay py-2 pr-2 pl-3 shadow-float"
    >
      <div className="min-w-0 flex-1 py-0.5">
        <Radix.Title
          className={classes("break-words font-medium", kind === "error" && "text-danger-fg")}
        >
          {title}
        </Radix.Title>
        {detail && (
          <Radix.Description className="select-text break-words text-12 text-muted">
            {detail}
          </Radix.Description>
        )}
      </div>
      {action && (
        <Radix.Action asChild altText={action.label} onClick={action.onAct}>
          <Button size="small">{action.label}</Button>
        </Radix.Action>
      )}
      <Radix.Close
        aria-label="Dismiss"
        className="flex size-6 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-fg"
      >
        <X className="size-3.5" aria-hidden="true" />
      </Radix.Close>
    </Radix.Root>
  );
}

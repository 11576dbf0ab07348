import { AlertDialog } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { Button } from "./Button";
import { useRestoreFocus } from "./useRestoreFocus";

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question, with the name of the object: "Delete blueprint “Release notes”?". */
  title: string;
  /** What is lost, what is kept, and that it cannot be undone. */
  children: ReactNode;
  /** The verb from the title: "Delete blueprint". Never "OK". */
  confirmLabel: string;
  onConfirm: () => void;
  busy?: boolean;
  /**
   * False for an action that costs something but destroys nothing, such as running missing
   * ancestors.
   */
  destructive?: boolean;
}

/**
 * Asks for confirmation before an action that cannot be undone. Focus starts on Cancel. The caller
 * closes the dialog when the action is done.
 */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirmLabel,
  onConfirm,
  busy = false,
  destructive = true,
}: ConfirmDialogProps): ReactElement {
  const restoreFocus = useRestoreFocus(open);
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <AlertDialog.Content
          onCloseAutoFocus={restoreFocus}
          className="fixed top-(--dialog-top) left-1/2 z-40 w-105 max-w-[calc(100vw-32px)] -translate-x-1/2 animate-rise max-h-(--dialog-height) overflow-auto rounded-card bg-overlay p-4 shadow-float outline-none"
        >
          <AlertDialog.Title className="break-words font-semibold text-15">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-1 text-muted">{children}</div>
          </AlertDialog.Description>
          <div className="mt-4 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button kind={destructive ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { useRestoreFocus } from "./useRestoreFocus";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** A sentence below the title; screen readers read it with the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the bottom, the primary one last. */
  actions?: ReactNode;
  /** In units of `--unit`, see tokens.css. */
  width?: number;
  /** Returns the element to focus on opening, in place of the Close button. */
  focusFirst?: (() => HTMLElement | null | undefined) | undefined;
  /**
   * Returns the element to focus on closing, when the previously focused one may be gone by then.
   */
  focusAfter?: (() => HTMLElement | null | undefined) | undefined;
}

/** A modal dialog. Escape and a click outside close it; focus returns to where it was. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  width = 480,
  focusFirst,
  focusAfter,
}: DialogProps): ReactElement {
  const restoreFocus = useRestoreFocus(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          style={{ width: `calc(var(--unit) * ${width})` }}
          onOpenAutoFocus={(event) => {
            const first = focusFirst?.();
            if (!first) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            const next = focusAfter?.();
            if (!next) return restoreFocus(event);
            event.preventDefault();
            next.focus();
          }}
          {...(description === undefined && { "aria-describedby": undefined })}
          className="fixed top-(--dialog-top) left-1/2 z-40 flex max-h-(--dialog-height) max-w-[calc(100vw-32px)] -translate-x-1/2 animate-rise flex-col rounded-card bg-overlay shadow-float outline-none"
        >
          <div className="flex items-start gap-2 px-4 pt-3">
            <Radix.Title className="flex-1 font-semibold text-15">{title}</Radix.Title>
            <Radix.Close
              aria-label="Close"
              className="-mr-1 flex size-6 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-fg active:bg-active"
            >
              <X className="size-4" aria-hidden="true" />
            </Radix.Close>
          </div>
          {description !== undefined && (
            <Radix.Description className="select-text px-4 pt-1 text-muted">
              {description}
            </Radix.Description>
          )}
          <div className="min-h-0 flex-1 overflow-auto px-4 py-3">{children}</div>
          {actions && <div className="flex justify-end gap-2 border-t px-4 py-3">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

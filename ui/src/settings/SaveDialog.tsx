import type { ReactElement, ReactNode } from "react";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";

export interface SaveDialogProps {
  title: string;
  description: string;
  width?: number;
  /** What the button that saves says. */
  act: string;
  /** Whether what is written can be saved as it stands. */
  ready: boolean;
  /** How the saving goes. */
  save: { isPending: boolean; error: Error | null };
  onSave: () => void;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A form in a dialog that is saved as a whole or not at all; why it was not saved stands below the fields. */
export function SaveDialog(props: SaveDialogProps): ReactElement {
  const { title, description, width, act, ready, save, onSave, onClose, children } = props;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      description={description}
      {...(width !== undefined && { width })}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={save.isPending} disabled={!ready} onClick={onSave}>
            {act}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {children}
        {save.error && (
          <p role="alert" className="text-danger-fg">
            {save.error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

import type { ReactElement, ReactNode } from "react";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";

export interface SaveDialogProps {
  title: string;
  description: string;
  width?: number;
  /** The label of the save button. */
  act: string;
  /** Whether the form can be saved. */
  ready: boolean;
  /** The state of the save. */
  save: { isPending: boolean; error: Error | null };
  onSave: () => void;
  onClose: () => void;
  /** The form fields. */
  children: ReactNode;
}

/** A dialog with a form that is saved as a whole. A save error is shown below the fields. */
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

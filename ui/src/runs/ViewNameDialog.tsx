import { type ReactElement, useState } from "react";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { TextField } from "@/components/TextField";
import { maxViewName, nameProblem, type RunsView } from "./views";

/** Asks for the name of a view. */
export function ViewNameDialog({
  title,
  initial,
  others,
  onName,
  onClose,
}: {
  title: "Save view" | "Rename view";
  initial: string;
  /** The views whose names are taken. */
  others: readonly RunsView[];
  onName: (name: string) => void;
  onClose: () => void;
}): ReactElement {
  const [name, setName] = useState(initial);
  const problem = nameProblem(name, others);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="A view keeps the search, the filters and the sort order."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={problem !== undefined} onClick={() => onName(name)}>
            {title}
          </Button>
        </>
      }
    >
      <TextField
        autoFocus
        label="Name"
        value={name}
        onChange={setName}
        maxLength={maxViewName}
        error={name === "" ? undefined : problem}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || problem !== undefined) return;
          event.preventDefault();
          onName(name);
        }}
      />
    </Dialog>
  );
}

import type { KeyboardEvent, ReactElement } from "react";
import { Button } from "@/components/Button";
import { TextArea } from "@/components/TextArea";

export interface CommentEditorProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
  onDone: () => void;
  onCancel: () => void;
}

/** The field in which a comment is written. Control+Enter adds it, Escape cancels. */
export function CommentEditor(props: CommentEditorProps): ReactElement {
  const { label, text, onChange, onDone, onCancel } = props;
  const isEmpty = text.trim() === "";

  function onKeyDown(event: KeyboardEvent) {
    // Otherwise the page would treat typed characters as shortcuts.
    event.stopPropagation();
    if (event.key === "Escape") onCancel();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isEmpty) onDone();
  }

  return (
    <form
      className="flex flex-col gap-2"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onDone();
      }}
    >
      <TextArea
        label={label}
        labelHidden
        dir="auto"
        autoFocus
        placeholder="What should change here?"
        value={text}
        onChange={onChange}
      />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" disabled={isEmpty}>
          Add comment
        </Button>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

import { X } from "lucide-react";
import { type ReactElement, useId } from "react";
import { classes } from "./classes";
import { inputClasses } from "./Field";
import { IconButton } from "./IconButton";

export interface NameValueRowProps {
  /** What the row is, for screen readers: "Variable 1". */
  label: string;
  removeLabel: string;
  name: string;
  value: string;
  namePlaceholder?: string;
  /** Says what is wrong with the name or the value; replaces the note. */
  error?: string | undefined;
  note?: string | undefined;
  onChange: (name: string, value: string) => void;
  onRemove: () => void;
}

/** A name and a value side by side, in a list of them. */
export function NameValueRow(props: NameValueRowProps): ReactElement {
  const { label, removeLabel, name, value, namePlaceholder = "name", error, note } = props;
  const { onChange, onRemove } = props;
  const id = useId();
  const text = error ?? note;
  const look = classes(inputClasses, "h-7 font-mono text-12");
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_--spacing(6)] items-center gap-1">
        <input
          aria-label={`${label}, name`}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={text === undefined ? undefined : id}
          value={name}
          placeholder={namePlaceholder}
          onChange={(event) => onChange(event.target.value, value)}
          className={look}
        />
        <input
          aria-label={`${label}, value`}
          aria-describedby={text === undefined ? undefined : id}
          value={value}
          placeholder="value"
          onChange={(event) => onChange(name, event.target.value)}
          className={look}
        />
        <IconButton size="small" label={removeLabel} icon={<X />} onClick={onRemove} />
      </div>
      {text !== undefined && (
        <p
          id={id}
          role={error === undefined ? undefined : "alert"}
          className={classes("text-12", error === undefined ? "text-faint" : "text-danger-fg")}
        >
          {text}
        </p>
      )}
    </div>
  );
}

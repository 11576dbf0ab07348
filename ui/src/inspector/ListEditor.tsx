import { Plus, X } from "lucide-react";
import { type ReactElement, useId, useRef } from "react";
import { classes } from "@/components/classes";
import { inputClasses } from "@/components/Field";
import { IconButton } from "@/components/IconButton";

export interface ListEditorProps {
  label: string;
  /** The name of one row, such as "argument". */
  noun: string;
  items: readonly string[];
  onChange: (items: string[], at: number) => void;
  placeholder: string;
  mono?: boolean;
}

/** A list of texts, one per row. Enter adds a row, Backspace removes an empty one. */
export function ListEditor(props: ListEditorProps): ReactElement {
  const { label, noun, items, onChange, placeholder, mono = false } = props;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);

  function focus(at: number) {
    // Wait until the new row is rendered.
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLInputElement>("input")[at]?.focus(),
    );
  }
  function insert(at: number) {
    onChange(items.toSpliced(at, 0, ""), at);
    focus(at);
  }
  function remove(at: number) {
    onChange(items.toSpliced(at, 1), at);
    focus(Math.max(0, at - 1));
  }

  return (
    <div className="flex flex-col gap-1">
      <div className="flex h-6 items-center justify-between">
        <span id={id} className="font-medium text-12 text-muted">
          {label}
        </span>
        <IconButton
          size="small"
          label={`Add ${noun}`}
          icon={<Plus />}
          onClick={() => insert(items.length)}
        />
      </div>
      {items.length > 0 && (
        <ul ref={list} aria-labelledby={id} className="flex flex-col gap-1">
          {items.map((item, at) => (
            // Rows have no identity other than their position.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={at} className="flex items-center gap-1">
              <input
                dir="auto"
                aria-label={`${label}, ${at + 1}`}
                value={item}
                placeholder={placeholder}
                onChange={(event) => onChange(items.with(at, event.target.value), at)}
                onKeyDown={(event) => {
                  if (event.key === "Enter") insert(at + 1);
                  else if (event.key === "Backspace" && item === "") {
                    event.preventDefault();
                    remove(at);
                  }
                }}
                className={classes(inputClasses, "h-7", mono && "font-mono text-12")}
              />
              <IconButton
                size="small"
                label={`Remove ${noun} ${at + 1}`}
                icon={<X />}
                onClick={() => remove(at)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

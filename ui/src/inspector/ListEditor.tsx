import { Plus, X } from "lucide-react";
import { type ReactElement, useId, useRef } from "react";
import { classes } from "@/components/classes";
import { inputClasses } from "@/components/Field";
import { IconButton } from "@/components/IconButton";

export interface ListEditorProps {
  label: string;
  /** What one line is called: "criterion". */
  noun: string;
  items: readonly string[];
  onChange: (items: string[], at: number) => void;
  placeholder: string;
  mono?: boolean;
}

/** Lines of text, one each. Enter adds the next line, Backspace in an empty one takes it away. */
export function ListEditor(props: ListEditorProps): ReactElement {
  const { label, noun, items, onChange, placeholder, mono = false } = props;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);

  function focus(at: number) {
    // The line exists after the change was drawn.
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
            // Lines have no identity but their place.
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
